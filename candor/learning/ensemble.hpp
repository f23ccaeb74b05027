// SPDX-License-Identifier: MIT
// Averages over models, and over hyperparameters about their modes.
//
//   p(wrong_i | D) = Σ_k w_k p(wrong_i | D, model k),   the same for predictions
//
// Between views of the labels the integrated evidence decides.  The default covariances count alike:
// evidence that differs by a few nats says little about which of them predicts better, and hands
// all the weight to one (docs/defaults.md).  Others may differ by more, and count by their evidence.
//
// Hyperparameters are averaged over sigma points: the mode and, along the widest axes of the
// Gaussian that Laplace's method puts there, one point to each side at √(m+1) deviations.  They
// match its first three moments [JU97]; each is weighed by its true height over that Gaussian's.
#pragma once

#include <candor/inference/predict.hpp>
#include <candor/learning/select.hpp>
#include <candor/linalg/types.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace candor {

enum class Average {
  none,    // the chosen model at its mode
  models,  // every candidate at its mode
  full,    // every candidate over sigma points
};

enum class CovarianceWeights { alike, by_evidence };

struct Member {
  std::string name;
  double weight = 0.0;
  Model model;
  Approximation approximation;  // 2 n² doubles each
  Vector p_wrong;               // averaged over the model's rates
  Matrix confusion{};           // that the labels were recorded by; empty: as the likelihood says
};

struct Ensemble {
  std::vector<Member> members;  // weights sum to 1
  int skipped = 0;              // points where inference failed

  [[nodiscard]] Vector p_wrong() const;
  [[nodiscard]] Vector log_loo() const;
  [[nodiscard]] Prediction predict(const Matrix& X, const Matrix& X_test) const;
};

// What each candidate counts for in an average of this kind; 0 where that is negligible.
[[nodiscard]] std::vector<double> weights_of(
    const Selection& selection, Average kind,
    CovarianceWeights covariances = CovarianceWeights::alike);

inline constexpr double negligible_weight = 1e-3;
inline constexpr Index most_axes = 6;  // along which sigma points lie

// Leaves out what weighs next to nothing beside the heaviest, and lets the rest sum to 1.
template <class Weighted>
void keep_what_matters(std::vector<Weighted>& all) {
  double top = 0.0, total = 0.0;
  for (const Weighted& w : all) top = std::max(top, w.weight);
  std::erase_if(all, [&](const Weighted& w) { return w.weight < negligible_weight * top; });
  for (const Weighted& w : all) total += w.weight;
  for (Weighted& w : all) w.weight /= total;
}

// Members of negligible weight are left out.
[[nodiscard]] Ensemble average(const Selection& selection, const TrainingSet& data, Average kind,
                               CovarianceWeights covariances = CovarianceWeights::alike);

}  // namespace candor
