// SPDX-License-Identifier: MIT
// Averages over models, and over hyperparameters about their modes.
//
//   p(wrong_i | D) = Σ_k w_k p(wrong_i | D, model k),   the same for predictions
//
// Between views of the labels the integrated evidence decides; covariances count alike, since
// evidence that differs by a few nats says little about which of them predicts better, and hands
// all the weight to one (docs/defaults.md).
//
// Hyperparameters are averaged over sigma points: the mode and, along the widest axes of the
// Gaussian that Laplace's method puts there, one point to each side at √(m+1) deviations.  They
// match its first three moments [JU97]; each is weighed by its true height over that Gaussian's.
#pragma once

#include <candor/inference/predict.hpp>
#include <candor/learning/select.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

enum class Average {
  none,    // the chosen model at its mode
  models,  // every candidate at its mode
  full,    // every candidate over sigma points
};

struct Member {
  std::string name;
  double weight = 0.0;
  Model model;
  Approximation approximation;  // 2 n² doubles each
  Vector p_wrong;               // averaged over the model's rates
};

struct Ensemble {
  std::vector<Member> members;  // weights sum to 1
  int skipped = 0;              // points where inference failed

  [[nodiscard]] Vector p_wrong() const;
  [[nodiscard]] Vector log_loo() const;
  [[nodiscard]] Prediction predict(const Matrix& X, const Matrix& X_test) const;
};

// Members of negligible weight (below 1e-3) are left out.
[[nodiscard]] Ensemble average(const Selection& selection, const TrainingSet& data, Average kind);

}  // namespace candor
