// SPDX-License-Identifier: MIT
// Fewer rows to learn from: chosen by a hash of what they hold, so that neither their order nor a
// seed matters, with as many of each class as its share asks for, and never fewer than two.
#pragma once

#include <candor/model/fit.hpp>

#include <cstddef>
#include <vector>

namespace candor::cli {

void keep_sample(Prepared& prepared, Index rows);

// InvalidInput where a class has one row only, or none has enough for so many folds.
void check_folds(const Prepared& prepared, int folds);
// Folds for cross-validation, 0 … folds-1, one per entry of prepared.rows: by the same hash, each
// class spread evenly.
[[nodiscard]] std::vector<int> folds_of(const Prepared& prepared, int folds);

// Keeps the entries of prepared.rows at these positions, ascending, with their weights and trust.
void keep_positions(Prepared& prepared, const std::vector<std::size_t>& positions);

}  // namespace candor::cli
