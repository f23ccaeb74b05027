// SPDX-License-Identifier: MIT
// A table's text with one more column at the end of every line; all other bytes stay.
#pragma once

#include <candor/data/table.hpp>

#include <string>
#include <vector>

namespace candor::cli {

// One value per row.  TableError where the table has the column already, is not delimited text, or
// is written so that a column cannot be added (names and rows of unequal length).
[[nodiscard]] std::string add_column(const Table& table, const std::string& name,
                                     const std::vector<std::string>& values);

}  // namespace candor::cli
