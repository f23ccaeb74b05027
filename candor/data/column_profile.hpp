// SPDX-License-Identifier: MIT
// Internal: what the cells of one column look like, before anybody decides what the column is.
#pragma once

#include <candor/data/number.hpp>
#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

struct ColumnProfile {
  Index missing = 0;
  Index present = 0;
  Index distinct = 0;
  std::vector<std::string> examples;  // the first three different values

  // Under the style that reads most cells.
  NumberStyle style = NumberStyle::plain;
  bool style_is_ambiguous = false;  // 1,234 everywhere: a decimal comma or thousands
  Index numbers = 0;
  std::vector<double> sorted;     // the numbers
  std::vector<Index> odd_rows;    // the first five rows that hold something else
  bool one_odd_word = false;      // they all hold the same
  bool points_may_group = false;  // 750 beside 30.000: a thousands mark, perhaps

  bool all_dates = false;

  [[nodiscard]] bool all_numbers() const { return present > 0 && numbers == present; }
  [[nodiscard]] bool all_different_integers() const;
  [[nodiscard]] bool running_integers() const;  // all different, without gaps, in any order
};

[[nodiscard]] ColumnProfile profile_column(const Table& table, Index column);

}  // namespace candor
