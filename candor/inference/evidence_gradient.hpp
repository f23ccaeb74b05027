// SPDX-License-Identifier: MIT
// The gradient of the log evidence in every hyperparameter, by adjoints:
//
//   K̄ = ∂log Z/∂K = ½(ααᵀ - W) + ½(uαᵀ + αuᵀ)      u: the mode's response for Laplace, else 0
//                                                   [RW06, eqs. 5.22-5.24, 5.27]
// EP's evidence and the variational bound are stationary in their sites, so only the explicit
// dependence on K counts.  Costs n³/3 for W and one pass over the tiles of K; W is formed tile by
// tile, so no n×n memory is needed.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/approximation.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

struct EvidenceGradient {
  Vector covariance;  // in the log of each of parameter_names(covariance)
  Vector
      likelihood;  // in the order of parameter_names(likelihood): log of a variance, a rate itself
};

[[nodiscard]] EvidenceGradient evidence_gradient(const Approximation& approximation,
                                                 const Covariance& covariance, const Matrix& X);

}  // namespace candor
