// SPDX-License-Identifier: MIT
// Checks for options that take a number.  The parser's own ranges let NaN through, and its unsigned
// numbers take -1 for the largest one.
//
//   command.add_option("--threshold", ...)->check(number_from("--threshold", 0.0, 1.0));
#pragma once

#include <apps/cli/exit_code.hpp>

#include <candor/data/number.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace candor::cli {

inline constexpr std::uint64_t most_rows = 1'000'000'000'000;

// "--rate is "nan": it must be a number from 0 to 1", for what does not `pass`.
template <class Pass>
CLI::Validator must_be(std::string option, std::string what, Pass pass) {
  const auto check = [option = std::move(option), what = std::move(what),
                      pass = std::move(pass)](const std::string& text) -> std::string {
    if (pass(text)) return "";
    throw UsageError(fmt::format("{} is {}: it must be {}", option, shown(text), what));
  };
  return {check, ""};
}

inline CLI::Validator finite_number(std::string option) {
  return must_be(std::move(option), "a finite number",
                 [](const std::string& text) { return parse_number(text).has_value(); });
}

inline CLI::Validator number_from(std::string option, double low, double high) {
  return must_be(std::move(option), fmt::format("a number from {} to {}", low, high),
                 [low, high](const std::string& text) {
                   const auto number = parse_number(text);
                   return number && *number >= low && *number <= high;
                 });
}

inline CLI::Validator number_above_zero(std::string option) {
  return must_be(std::move(option), "a finite number above 0", [](const std::string& text) {
    const auto number = parse_number(text);
    return number && *number > 0.0;
  });
}

inline CLI::Validator whole_number(std::string option, std::uint64_t low, std::uint64_t high) {
  return must_be(std::move(option), fmt::format("a whole number from {} to {}", low, high),
                 [low, high](const std::string& text) {
                   std::uint64_t number = 0;
                   const char* const end = text.data() + text.size();
                   const auto [rest, error] = std::from_chars(text.data(), end, number);
                   return error == std::errc() && rest == end && number >= low && number <= high;
                 });
}

inline CLI::Validator seed_number() {
  return whole_number("--seed", 0, std::numeric_limits<std::uint64_t>::max());
}

}  // namespace candor::cli
