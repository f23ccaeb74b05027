// SPDX-License-Identifier: MIT
// How far two names are apart, for messages that guess which one was meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace candor {

// The fewest insertions, deletions and substitutions of single characters that turn a into b.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace candor
