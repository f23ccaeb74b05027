// SPDX-License-Identifier: MIT
#include <candor/data/number.hpp>

#include <candor/data/quoting.hpp>
#include <candor/data/table_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace candor {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The power of ten of the first digit that is not 0: -2 for 0.05 and 500e-4.
long long magnitude(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("eE"), text.size());
  const auto point = static_cast<long long>(std::min(text.find('.'), end));
  const auto digit = static_cast<long long>(std::min(text.find_first_of("123456789"), end));
  const long long shift = digit < point ? point - digit - 1 : point - digit;
  if (end == text.size()) return shift;
  std::string_view exponent = text.substr(end + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  constexpr long long huge = std::numeric_limits<long long>::max() / 2;
  long long power =
      exponent.starts_with('-') ? -huge : huge;  // which stays where it has more digits
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  return std::clamp(power, -huge, huge) + shift;
}

// from_chars says "out of range" both ways: too small is 0, too large is no number.
std::optional<double> out_of_range(std::string_view text) {
  if (magnitude(text) > 0) return std::nullopt;
  return text.front() == '-' ? -0.0 : 0.0;
}

std::optional<double> parse_plain(std::string_view text) {
  // inf, nan and a second sign are not numbers here.
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  const std::string_view unsigned_text = has_sign ? text.substr(1) : text;
  if (unsigned_text.empty() || !(is_digit(unsigned_text[0]) || unsigned_text[0] == '.'))
    return std::nullopt;
  if (text.front() == '+') text = unsigned_text;  // which from_chars does not take
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return out_of_range(text);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

// 1234,5 as 1234.5; a point is not allowed beside it.
std::optional<double> parse_decimal_comma(std::string_view text) {
  if (text.find('.') != std::string_view::npos) return std::nullopt;
  std::string plain(text);
  if (const std::size_t comma = plain.find(','); comma != std::string::npos) plain[comma] = '.';
  return parse_plain(plain);
}

// 1,234,567.8: one to three digits, then groups of three.
std::optional<double> parse_thousands(std::string_view text) {
  std::string plain;
  std::size_t digits_since = 0;  // since the last comma, or the start
  bool grouped = false;
  std::size_t i = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) plain += text[i++];
  for (; i < text.size() && (is_digit(text[i]) || text[i] == ','); ++i) {
    if (text[i] == ',') {
      if (grouped ? digits_since != 3 : (digits_since < 1 || digits_since > 3)) return std::nullopt;
      grouped = true;
      digits_since = 0;
    } else {
      plain += text[i];
      ++digits_since;
    }
  }
  if (grouped && digits_since != 3) return std::nullopt;
  plain += text.substr(i);
  return parse_plain(plain);
}

}  // namespace

std::string_view to_string(NumberStyle style) {
  switch (style) {
    case NumberStyle::plain:
      return "plain";
    case NumberStyle::decimal_comma:
      return "decimal_comma";
    case NumberStyle::thousands_comma:
      return "thousands_comma";
  }
  return "plain";
}

NumberStyle number_style_from(std::string_view name) {
  for (const NumberStyle style :
       {NumberStyle::plain, NumberStyle::decimal_comma, NumberStyle::thousands_comma})
    if (name == to_string(style)) return style;
  throw TableError(fmt::format(
      "number style is \"{}\": it must be plain, decimal_comma or thousands_comma", name));
}

std::optional<double> parse_number(std::string_view text, NumberStyle style) {
  const std::string_view cell = trim(text);
  if (cell.empty()) return std::nullopt;
  switch (style) {
    case NumberStyle::plain:
      return parse_plain(cell);
    case NumberStyle::decimal_comma:
      return parse_decimal_comma(cell);
    case NumberStyle::thousands_comma:
      return parse_thousands(cell);
  }
  return std::nullopt;
}

std::string format_number(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc{} ? std::string(buffer.data(), end) : std::string("nan");
}

}  // namespace candor
