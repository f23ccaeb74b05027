// SPDX-License-Identifier: MIT
#include <candor/data/observation_columns.hpp>

#include <candor/data/number.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace candor {
namespace {

// Beyond this EP has no digits left for one copy among so many.
constexpr double most_weight = 10000.0;

bool is_one_of(std::string_view word, const std::array<std::string_view, 5>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Vector read_weights(const Table& table, Index column, const std::vector<Index>& rows) {
  Vector weights(std::ssize(rows));
  std::string scratch;
  for (Index k = 0; const Index row : rows) {
    const std::string_view cell = table.view(row, column, scratch);
    const auto weight = parse_number(cell);
    if (!weight || !(*weight > 0.0))
      throw TableError(fmt::format("{}: weight is {}: it must be finite and greater than 0",
                                   place(table, row, column), shown(cell)));
    if (*weight > most_weight)
      throw TableError(fmt::format(
          "{}: weight is {}, which would count as so many equal rows: divide all weights by "
          "their mean, or by what brings the largest to {:.0f} or less",
          place(table, row, column), shown(cell), most_weight));
    weights[k++] = *weight;
  }
  return weights;
}

std::vector<bool> read_trusted(const Table& table, Index column) {
  std::vector<bool> trusted;
  std::vector<std::string> unknown;
  Index first_unknown = -1;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string cell = table.cell(row, column);
    const std::string word = lower_case(cell);
    const bool yes = is_one_of(word, {"1", "true", "t", "yes", "y"});
    const bool no =
        table.is_missing(row, column) || is_one_of(word, {"0", "false", "f", "no", "n"});
    if (!yes && !no) {
      if (first_unknown < 0) first_unknown = row;
      if (std::find(unknown.begin(), unknown.end(), shown(cell)) == unknown.end())
        unknown.push_back(shown(cell));
    }
    trusted.push_back(yes);
  }
  if (!unknown.empty())
    throw TableError(fmt::format(
        "{}: {} cannot be read as trusted or not: use 1, true, t, yes, y or 0, false, f, no, n",
        place(table, first_unknown, column), listed(unknown)));
  return trusted;
}

}  // namespace candor
