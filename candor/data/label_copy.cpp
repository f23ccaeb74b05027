// SPDX-License-Identifier: MIT
#include <candor/data/label_copy.hpp>

#include <candor/data/number.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace candor {
namespace {

// Rows in which the column holds a value, and those of them in which the label is the same.
struct Rows {
  Index all = 0;
  Index agree = 0;
};

// 1.0 and 1 are the same label, written by two programs.
std::string canonical(std::string_view cell) {
  const std::optional<double> number = parse_number(cell);
  return number ? format_number(*number) : std::string(cell);
}

}  // namespace

std::optional<double> likeness(const Table& table, Index column, Index label) {
  std::unordered_map<std::string, Rows> by_value;
  std::unordered_set<std::string> labels;
  std::string scratch;
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.is_missing(row, column) || table.is_missing(row, label)) continue;
    const std::string value = canonical(table.view(row, column, scratch));
    const std::string given = canonical(table.view(row, label, scratch));
    labels.insert(given);
    Rows& rows = by_value[value];
    ++rows.all;
    rows.agree += value == given ? 1 : 0;
  }
  Rows total;
  for (const auto& [value, rows] : by_value) {
    if (labels.contains(value) && 2 * rows.agree <= rows.all) return std::nullopt;
    total.all += rows.all;
    total.agree += rows.agree;
  }
  if (total.all == 0) return std::nullopt;
  return static_cast<double>(total.agree) / static_cast<double>(total.all);
}

}  // namespace candor
