// SPDX-License-Identifier: MIT
// Internal to audit: why a label is doubted.  Which rows are near, and how far a row is from all.
#pragma once

#include <candor/model/classifier.hpp>

#include <vector>

namespace candor {

// For each training row i of `asked` the `count` nearest others: training rows, nearest first, ties
// by row.  Near is the prior correlation of the latent values,
//   k(x, x')/√(k(x, x) k(x', x')),
// averaged over the processes of a question by weight, and over questions.
struct Near {
  Index training_row = 0;
  double similarity = 0.0;
};
[[nodiscard]] std::vector<std::vector<Near>> nearest_rows(const Classifier& classifier,
                                                          const std::vector<Index>& asked,
                                                          Index count, Threads threads);

// For every training row Var[f_i | the other rows]/k_ii, between 0 and 1, averaged like the above:
// the posterior is rebuilt from the sites, and the row's own site (all its copies) divided out.
// One factorisation for each process.
[[nodiscard]] Vector novelty(const Classifier& classifier, Threads threads);

}  // namespace candor
