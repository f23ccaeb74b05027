// SPDX-License-Identifier: MIT
// Internal: the order people expect: numbers by value, digits inside texts as numbers.
#pragma once

#include <string_view>

namespace candor {

// A strict order in which different texts are never equal.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace candor
