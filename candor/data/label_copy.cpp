// SPDX-License-Identifier: MIT
#include <candor/data/label_copy.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace candor {
namespace {

// Rows in which the column holds a value, and those of them in which the label is the same.
struct Rows {
  Index all = 0;
  Index agree = 0;
};

}  // namespace

std::optional<double> likeness(const Table& table, Index column, Index label) {
  std::unordered_map<std::string, Rows> by_value;
  std::string scratch, label_scratch;
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.is_missing(row, column) || table.is_missing(row, label)) continue;
    const std::string value(table.view(row, column, scratch));
    const bool same = value == table.view(row, label, label_scratch);
    Rows& rows = by_value[value];
    ++rows.all;
    rows.agree += same ? 1 : 0;
  }
  Rows total;
  for (const auto& [value, rows] : by_value) {
    if (2 * rows.agree <= rows.all) return std::nullopt;
    total.all += rows.all;
    total.agree += rows.agree;
  }
  if (total.all == 0) return std::nullopt;
  return static_cast<double>(total.agree) / static_cast<double>(total.all);
}

}  // namespace candor
