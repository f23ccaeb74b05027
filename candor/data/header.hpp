// SPDX-License-Identifier: MIT
// Internal: is the first line a line of names, and what are the columns called?
#pragma once

#include <candor/data/missing.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace candor {

// The first records of a table, as values.
using Head = std::vector<std::vector<std::string>>;

// A number in the first line says no; text above a column of numbers says yes; where all is text, a
// line whose cells never come again says yes.
[[nodiscard]] bool has_header(const Head& head, const MissingWords& missing);

// How many of the first lines look like names: 2 or 3 where those after the first also hold only
// text above columns of numbers, 1 otherwise.
[[nodiscard]] std::size_t header_lines(const Head& head, const MissingWords& missing);

// Unique names, none of them empty; what had to be repaired is added to `notes`.
[[nodiscard]] std::vector<std::string> repair_names(std::vector<std::string> names,
                                                    std::vector<std::string>& notes);

[[nodiscard]] std::string column_number_name(std::size_t column);  // from 0: column_1, column_2 …

}  // namespace candor
