// SPDX-License-Identifier: MIT
// The version of Candor, as its build names it.
#pragma once

#include <string_view>

namespace candor {

[[nodiscard]] std::string_view version();

}  // namespace candor
