// SPDX-License-Identifier: MIT
// Internal: from a number of the table to a number of order 1.
#pragma once

#include <candor/data/encoding.hpp>

#include <string>
#include <vector>

namespace candor {

// Learns center, scale and knots from the numbers that are not missing (at least one).  A
// number of weight k counts as k of them; no weights: all 1.
void fit_numbers(ColumnEncoder& column, std::vector<double> values,
                 std::vector<double> weights = {});

// Finite for every finite x: within ±1e6 by the line, within the scores by knots.
[[nodiscard]] double encode_number(const ColumnEncoder& column, double x);

// What stands for a missing cell: NaN, unless the column has a `fill`.
[[nodiscard]] double encode_missing(const ColumnEncoder& column);

// "2 cells are missing, and none was in training: …"
[[nodiscard]] std::string note_on_missing(const ColumnEncoder& column, Index cells);

}  // namespace candor
