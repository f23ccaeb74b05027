// SPDX-License-Identifier: MIT
// The known name that a misspelt one most resembles.
#pragma once

#include <string_view>
#include <vector>

namespace candor {

// The candidate with the fewest insertions, deletions and substitutions of single characters; the first
// of several.  Candidates must not be empty.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            const std::vector<std::string_view>& candidates);

}  // namespace candor
