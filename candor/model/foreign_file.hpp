// SPDX-License-Identifier: MIT
// Internal: what somebody has taken for a model file.
#pragma once

#include <string>
#include <string_view>

namespace candor {

// The end of a sentence: "it is a gzip file".  Looks at the first bytes only.
[[nodiscard]] std::string what_it_is(std::string_view bytes);

}  // namespace candor
