// SPDX-License-Identifier: MIT
// Text to double, the same in every locale, to the nearest double.  Not numbers: inf, nan, 1e999,
// hexadecimal, and anything with a unit (3.0M, $4.99, 45%).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace candor {

// How a column writes its numbers: one style for all of its cells.
enum class NumberStyle {
  plain,            // 1234.5  -1e-3  +7
  decimal_comma,    // 1234,5
  thousands_comma,  // 1,234.5
};

[[nodiscard]] std::string_view to_string(NumberStyle style);
[[nodiscard]] NumberStyle number_style_from(std::string_view name);

// Nothing where the whole of `text`, blanks around it aside, is no finite number.
[[nodiscard]] std::optional<double> parse_number(std::string_view text,
                                                 NumberStyle style = NumberStyle::plain);

// The shortest text that reads back as the same double.
[[nodiscard]] std::string format_number(double value);

}  // namespace candor
