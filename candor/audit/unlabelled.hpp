// SPDX-License-Identifier: MIT
// Rows of a table that have no label: not learned from, and predicted instead.
#pragma once

#include <candor/model/classifier.hpp>
#include <candor/model/fit.hpp>

#include <vector>

namespace candor {

struct UnlabelledRow {
  Index row = 0;      // of the table, from 0
  int predicted = 0;  // index into classes: the most probable
  double p = 0.0;     // its probability
};

// In the order of the table.  One n³/3 factorisation per process where there are any.
[[nodiscard]] std::vector<UnlabelledRow> predict_unlabelled(const Classifier& classifier,
                                                            const Prepared& prepared,
                                                            Threads threads);

}  // namespace candor
