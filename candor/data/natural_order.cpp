// SPDX-License-Identifier: MIT
#include <candor/data/natural_order.hpp>

#include <candor/data/number.hpp>

#include <algorithm>
#include <compare>

namespace candor {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the digits off the front, leading zeros aside.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

std::weak_ordering compare(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_digits(a);
      const std::string_view y = take_digits(b);
      if (x.size() != y.size()) return x.size() <=> y.size();
      if (x != y) return x <=> y;
    } else if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) <=> static_cast<unsigned char>(b.front());
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() <=> b.size();
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const auto x = parse_number(a);
  const auto y = parse_number(b);
  if (x.has_value() != y.has_value()) return x.has_value();  // numbers first
  if (x && *x != *y) return *x < *y;
  if (x) return a < b;  // 1 and 1.0
  const std::weak_ordering order = compare(a, b);
  return std::is_eq(order) ? a < b : std::is_lt(order);
}

}  // namespace candor
