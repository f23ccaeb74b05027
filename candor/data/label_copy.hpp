// SPDX-License-Identifier: MIT
// Internal: whether an input column is the label once more, as a column that keeps the truth is.
// Learned from, it would say of every label that it is right, or give every wrong one away.
#pragma once

#include <candor/data/table.hpp>

#include <optional>

namespace candor {

// From this share on a column is taken for a copy; from the other on a note asks.
inline constexpr double copy_share = 0.9;
inline constexpr double likeness_share = 0.75;

// The share of rows, those aside where either is missing, in which the column holds the label.
// Numbers are compared as such.  Nothing unless it is the label in most of the rows of each value
// that the label has: beside a rare class two columns of 0 and 1 agree in most rows by chance.
[[nodiscard]] std::optional<double> likeness(const Table& table, Index column, Index label);

}  // namespace candor
