// SPDX-License-Identifier: MIT
// Internal: SHA-256 (FIPS 180-4) of a table's text and of a model file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace candor {

// 64 lower-case hexadecimal digits, of the pieces one after the other.
[[nodiscard]] std::string sha256(const std::vector<std::string_view>& pieces);

}  // namespace candor
