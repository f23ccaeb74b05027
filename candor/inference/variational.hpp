// SPDX-License-Identifier: MIT
// The variational Gaussian approximation: of all Gaussians the one with the highest bound,
//
//   q(f) = N(μ, A),   log Z_B = Σ_i w_i E_q[log p(y_i|f_i)] - KL(q ‖ N(0, K)) ≤ log Z
//
// whose sites are, since the likelihood factorises, τ_i = -w_i E_q[∂² log p] and
// α_i = w_i E_q[∂ log p], ν = α + τ μ [OA09; NR08, the KL method]: 2n numbers, and the algebra of EP
// and Laplace.  Takes any likelihood but a step without noise in a row whose label cannot be wrong,
// where the bound is -∞.
//
// The log evidence of the result is the bound.  It is concave for log-concave likelihoods, in μ and
// the factor of A; where label errors are possible there may be several optima and negative sites:
// the higher end is taken of two climbs, from the prior and from what a narrow Gaussian asks for.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

#include <optional>
#include <string_view>

namespace candor {

struct Variational {
  double tolerance = 1e-8;   // on the distance from a stationary bound, in posterior units
  int max_iterations = 150;  // factorisations on the way to it, of each climb

  static constexpr std::string_view name = "variational";
  static constexpr std::string_view spoken_name = "variational inference";
};

// `warm_start` only says where to begin looking; where there are several optima, it may lead to
// another one.
[[nodiscard]] Approximation run(const Variational& engine, const Likelihood& likelihood,
                                const Observations& observations, SitePosterior posterior,
                                const std::optional<Sites>& warm_start = std::nullopt);

}  // namespace candor
