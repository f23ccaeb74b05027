// SPDX-License-Identifier: MIT
// Internal: from a number of the table to a number of order 1.
#pragma once

#include <candor/data/encoding.hpp>

#include <vector>

namespace candor {

// Learns center, scale, knots and fill from the numbers that are not missing (at least one).  A
// number of weight k counts as k of them; no weights: all 1.
void fit_numbers(ColumnEncoder& column, std::vector<double> values,
                 std::vector<double> weights = {});

// Finite for every finite x: within ±1e6 by the line, within the scores by knots.
[[nodiscard]] double encode_number(const ColumnEncoder& column, double x);

}  // namespace candor
