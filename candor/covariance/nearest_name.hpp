// SPDX-License-Identifier: MIT
// The known name that a misspelt or shortened one most resembles.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace candor {

// A candidate that begins like the name, where the common beginning is at least three characters
// and half of the name.  Else the candidate with the fewest insertions, deletions and substitutions
// of single characters, where those are at most half of the name.  Else nothing.
[[nodiscard]] std::optional<std::string_view> nearest_name(
    std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace candor
