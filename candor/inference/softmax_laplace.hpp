// SPDX-License-Identifier: MIT
// Laplace's approximation for C classes under the softmax likelihood, f_c ~ N(0, K_c):
//
//   f̂_c = K_c (y_c - π_c),   log Z = -½ Σ_c α_cᵀ f̂_c + Σ_i log π_i,y_i - ½ log|I + K W|
//                                                            [RW06, §3.5, algorithm 3.3]
// with α_c = K_c⁻¹ f̂_c, y the labels as n×C zeros and ones, and log|I + K W| complete
// (inference/softmax_posterior.hpp).  The posterior is log-concave, so the mode is unique.  With two
// classes that share K this is the logistic likelihood on f₁ - f₀, whose covariance is 2K.
//
// Cost: C n³ + n³/3 flops for each Newton step, of which there are about ten; memory there too.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/approximation.hpp>
#include <candor/inference/softmax_posterior.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <vector>

namespace candor {

struct SoftmaxLaplace {
  double tolerance = 1e-10;  // on |α - (y - π)| at the mode, in posterior standard deviations
  int max_iterations = 100;
};

struct SoftmaxApproximation {
  Outcome outcome;  // sweeps are Newton steps
  double log_evidence = 0.0;
  Matrix mode{};           // f̂, n×C
  Matrix probabilities{};  // π at the mode, n×C
  Matrix alpha{};          // K_c⁻¹ f̂_c, n×C; at the mode y - π
  SoftmaxPosterior posterior;
};

// Labels count from 0; a class may have no rows.  `covariances` holds one for all classes, or one
// for each.  `warm_start` is the mode under other hyperparameters: it saves steps and changes nothing
// beyond the tolerance.  All input is checked first (InvalidInput).
[[nodiscard]] SoftmaxApproximation infer(const SoftmaxLaplace& engine,
                                         const std::vector<Covariance>& covariances,
                                         const Matrix& X, const std::vector<int>& labels,
                                         Index classes, Threads threads = Threads::all(),
                                         const std::optional<Matrix>& warm_start = std::nullopt);

}  // namespace candor
