// SPDX-License-Identifier: MIT
// A corrected table: a few cells rewritten, every other byte as it was.
#pragma once

#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

struct Replacement {
  Index row = 0;
  Index column = 0;
  std::string value = {};
};

// The table's text with these cells replaced, in any order; blanks around a cell are kept, and a
// new value is quoted if the old one was or if it must be.  Throws TableError for a cell that is
// not there, one replaced twice, and one that a sparse row does not hold.
[[nodiscard]] std::string replace_cells(const Table& table, std::vector<Replacement> replacements);

}  // namespace candor
