// SPDX-License-Identifier: MIT
// Which class is taken for which, of more than two: p(y | k), the share of the labels of a true
// class k that are recorded as y, learned from the table.
//
// Each true class has a Dirichlet prior that counts for 2.4 labels: one in six wrong, like the prior of
// one rate, and sparse, since mistakes have their habits and most pairs are never mistaken.
// With N(k, y), the labels expected to be truly k and recorded y, the shares are
//
//   p(y | k) = (α(k, y) + N(k, y)) / Σ_y' (α(k, y') + N(k, y'))
//
// alternately with the hyperparameters until neither moves: a top of log evidence + log prior +
// Σ α log p(y | k).  By Jensen's inequality, at any shares p with their counts N,
//
//   log ∫ e^{log evidence(p')} Dir(p') dp' ≥ log evidence(p) + log mass
//   log mass = Σ_k log [B(α_k + N_k) / B(α_k)] - Σ N log p
//
// where log evidence is what EP makes of it (docs/math/multiclass.md).
#pragma once

#include <candor/learning/learn.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

struct Confusion {
  Matrix share;  // C×C: true class by row, recorded one by column; rows sum to 1
  Matrix count;  // C×C: labels of weight 1 expected of each, without those of a known rate
  double log_mass = 0.0;  // of integrating over shares
  bool settled = false;   // shares and hyperparameters ended where neither moves the other

  // The share of all labels that is wrong: posterior mean and standard deviation, the latter as if it
  // were known which labels are.
  [[nodiscard]] double rate() const;
  [[nodiscard]] double rate_deviation() const;
};

// Every class mistaken for every other alike, at this rate.
[[nodiscard]] Matrix alike_shares(Index classes, double rate);
// A model without wrong labels as one that has them: what it would have recorded otherwise is taken
// for a mistake.  Where labels are mistaken most, a soft boundary says so.
[[nodiscard]] Matrix contradicted_shares(const Approximation& q, const Model& model,
                                         const Observations& observations);

struct ConfusionStart {
  Model model;  // with a threshold
  Matrix share;
};

struct LearnedConfusion {
  Learned
      learned;  // without its posterior's matrices; a threshold at the confusion's rate, below ½
  Confusion confusion;
};

// The best of what the starts, at least one, lead to.  NumericalError where inference breaks down
// from every one of them.
[[nodiscard]] LearnedConfusion learn_confusion(const std::vector<ConfusionStart>& starts,
                                               const TrainingSet& data, const Learning& options);

}  // namespace candor
