// SPDX-License-Identifier: MIT
// Laplace's approximation: q(f) is the Gaussian at the mode of the posterior, with its curvature.
//
//   f̂ = K ∇log p(y|f̂),   W_lik = -∇∇log p(y|f̂),
//   log Z = -½ f̂ᵀK⁻¹f̂ + log p(y|f̂) - ½ log|I + K W_lik|
//                                                [RW06, eqs. 3.17, 3.20, 3.32; algorithm 3.1]
// Sites are τ = W_lik, ν = W_lik f̂ + ∇log p: the same algebra as EP from there on.  Takes probit,
// logistic and Gaussian likelihoods: with label errors the mode is no summary of the posterior.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

#include <optional>
#include <string_view>

namespace candor {

struct Laplace {
  double tolerance = 1e-10;  // on |α - ∇log p| at the mode, in posterior standard deviations
  int max_iterations = 100;  // Newton steps: factorisations on the way to the mode

  static constexpr std::string_view name = "laplace";
  static constexpr std::string_view spoken_name = "Laplace";
};

// Throws InvalidInput for any other likelihood.  The mode is unique: sites to start from, those of
// a mode under another covariance, save steps and change nothing beyond the tolerance.
[[nodiscard]] Approximation run(const Laplace& engine, const Likelihood& likelihood,
                                const Observations& observations, SitePosterior posterior,
                                const std::optional<Sites>& warm_start = std::nullopt);

}  // namespace candor
