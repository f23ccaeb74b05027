// SPDX-License-Identifier: MIT
// Expectation propagation for many classes: robust_max likelihoods, all rows' sites at once, damped
// and accelerated.
//
//   cavity_i = q(f_i)/site_i,   tilted_i ∝ p(y_i|f_i) cavity_i,   site_i ← proj[tilted_i]/cavity_i
//
// f_i are the row's latent values of all classes; sites are full (coupled) or diagonal (factorised).
// Where the loop fails it is tried again, more carefully, from the prior, and then by continuation
// (inference/multiclass_path.hpp); where that fails too, the outcome says so and holds the proper
// state with the smallest residual.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/class_posterior.hpp>
#include <candor/inference/ep.hpp>
#include <candor/likelihood/observations.hpp>

#include <optional>

namespace candor {

// Labels are class numbers 0 … C-1, weights at least 1: copies of a row that share their site.
[[nodiscard]] Approximation multiclass_ep(const Ep& engine, const RobustMax& likelihood,
                                          const Observations& observations,
                                          ClassPosterior posterior,
                                          const std::optional<Sites>& warm_start = std::nullopt);

// ∂ log evidence/∂(log parameters) of each covariance, one after the other.
[[nodiscard]] Vector covariance_gradient(const Approximation& approximation,
                                         const std::vector<Covariance>& covariances,
                                         const Matrix& X);

// The posterior of known sites, in total; what Approximation says of sites,
// means and α is filled, nothing else.  NumericalError where the sites give no proper posterior.
[[nodiscard]] Approximation rebuilt(ClassPosterior posterior, Sites sites);

}  // namespace candor
