// SPDX-License-Identifier: MIT
#include <candor/data/date.hpp>

#include <candor/data/quoting.hpp>
#include <candor/data/wording.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace candor {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Takes a number of at most `most` digits off the front; -1 where there is none.
int take_number(std::string_view& text, std::size_t most, std::size_t& digits) {
  int value = 0;
  for (digits = 0; digits < text.size() && digits <= most && is_digit(text[digits]); ++digits)
    value = value * 10 + (text[digits] - '0');
  if (digits == 0 || digits > most) return -1;
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

bool is_day(int value) { return value >= 1 && value <= 31; }
bool is_month(int value) { return value >= 1 && value <= 12; }

// 10:00, 1:55:04.25, 10:00 PM, 10:00:00Z, 10:00:00+01:00; takes all that follows.
bool is_time(std::string_view text) {
  std::size_t digits = 0;
  const int hour = take_number(text, 2, digits);
  if (hour < 0 || hour > 24 || !take(text, ':')) return false;
  const int minute = take_number(text, 2, digits);
  if (digits != 2 || minute > 59) return false;
  if (take(text, ':') && (take_number(text, 2, digits) < 0 || digits != 2)) return false;
  if (take(text, '.')) {
    while (!text.empty() && is_digit(text.front())) text.remove_prefix(1);
  }
  const std::string zone = lower_case(trim(text));
  if (zone.empty() || zone == "z" || zone == "am" || zone == "pm" || zone == "utc") return true;
  return zone.size() >= 3 && zone.size() <= 6 && (zone[0] == '+' || zone[0] == '-') &&
         zone.find_first_not_of("0123456789:", 1) == std::string::npos;
}

// Nothing, or a time after a blank or T.
bool is_rest(std::string_view text) {
  if (text.empty()) return true;
  return (text.front() == ' ' || text.front() == 'T') && is_time(trim(text.substr(1)));
}

// Three numbers joined twice by the same - / or .
bool is_numeric_date(std::string_view text) {
  std::array<int, 3> part{};
  std::array<std::size_t, 3> digits{};
  char separator = '\0';
  for (std::size_t i = 0; i < 3; ++i) {
    part[i] = take_number(text, 4, digits[i]);
    if (part[i] < 0) return false;
    if (i == 2) break;
    if (text.empty() || (i == 1 && text.front() != separator)) return false;
    separator = text.front();
    if (separator != '-' && separator != '/' && separator != '.') return false;
    text.remove_prefix(1);
  }
  if (!is_rest(text)) return false;
  if (digits[0] == 4)
    return digits[1] <= 2 && digits[2] <= 2 && is_month(part[1]) && is_day(part[2]);
  const bool year_last = digits[2] == 4 || digits[2] == 2;
  const bool day_and_month =
      (is_day(part[0]) && is_month(part[1])) || (is_month(part[0]) && is_day(part[1]));
  return year_last && digits[0] <= 2 && digits[1] <= 2 && day_and_month;
}

bool is_month_name(std::string_view word) {
  constexpr std::array months{"january",   "february", "march",    "april",
                              "may",       "june",     "july",     "august",
                              "september", "october",  "november", "december"};
  const std::string lower = lower_case(word);
  return lower.size() >= 3 &&
         std::any_of(months.begin(), months.end(),
                     [&](std::string_view month) { return month.starts_with(lower); });
}

// July 24, 2018 · 24 July 2018 · 24-Jul-18
bool is_named_date(std::string_view text) {
  int words = 0;
  int numbers = 0;
  while (!text.empty()) {
    const char first = text.front();
    const bool wordlike = is_letter(first);
    if (!wordlike && !is_digit(first)) return false;
    std::size_t length = 0;
    while (length < text.size() && (wordlike ? is_letter(text[length]) : is_digit(text[length])))
      ++length;
    if (wordlike ? !is_month_name(text.substr(0, length)) : length > 4 || length == 3) return false;
    ++(wordlike ? words : numbers);
    text.remove_prefix(length);
    const std::size_t next = text.find_first_not_of(" ,-/.");
    if (next == 0) return false;  // 1Jan is a label, not a date
    text.remove_prefix(std::min(next, text.size()));
  }
  return words == 1 && numbers == 2;
}

}  // namespace

bool is_date(std::string_view text) {
  text = trim(text);
  return is_numeric_date(text) || is_time(text) || is_named_date(text);
}

}  // namespace candor
