// SPDX-License-Identifier: MIT
// Columns that say something about the observation itself: its weight, and whether its label is
// trusted.
#pragma once

#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

// Of these rows, in which it must be finite and greater than 0; TableError with the line otherwise.
[[nodiscard]] Vector read_weights(const Table& table, Index column, const std::vector<Index>& rows);

// 1 true t yes y: trusted; 0 false f no n and missing: not; case does not matter.  Any other
// value is a TableError that lists the values found.
[[nodiscard]] std::vector<bool> read_trusted(const Table& table, Index column);

}  // namespace candor
