// SPDX-License-Identifier: MIT
// A few rows of a table, chosen by what they hold and not by where they stand: any order of the
// rows gives the same sample.
#pragma once

#include <candor/likelihood/observations.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

struct Sample {
  Matrix X;
  Observations observations;
};

[[nodiscard]] Sample sample_rows(const Matrix& X, const Observations& observations, Index rows);

// Of samples to learn from one after the other: the smallest, then, clearly larger, halves of
// halves of the table.
[[nodiscard]] std::vector<Index> sample_sizes(Index rows, Index smallest);

}  // namespace candor
