// SPDX-License-Identifier: MIT
// Internal: from the bytes of a cell to its value.
#pragma once

#include <candor/data/dialect.hpp>

#include <string>
#include <string_view>

namespace candor {

// Without blanks, tabs, line ends and no-break spaces around it.
[[nodiscard]] std::string_view trim(std::string_view text);

[[nodiscard]] bool is_quote(char c, const Dialect& dialect);

// The value of a cell: blanks around it and quotes removed.  Blanks inside quotes stay.
[[nodiscard]] std::string_view unquote(std::string_view raw, const Dialect& dialect,
                                       std::string& scratch);

}  // namespace candor
