// SPDX-License-Identifier: MIT
// The gradient of the softmax Laplace log evidence in every covariance parameter, by adjoints:
//
//   K̄_c = ½(α_c α_cᵀ - P_cc) + ½(u_c α_cᵀ + α_c u_cᵀ),   P_cc = E_c - E_c (Σ E)⁻¹ E_c
//   u = s - P K s,   s_i = ∂log Z/∂f̂_i = -½ (w - π_i 1ᵀw),   w_c = π_ic A_cc - 2 π_ic Σ_k A_ck π_ik
//
// where A is the C×C posterior covariance of the latent values of row i.  The first part of K̄ is the
// explicit dependence on K, the second the response of the mode: it is not small.  Costs 7/3 C n³
// flops, and four n×n matrices beside the posterior; docs/math/softmax.md derives it.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/softmax_laplace.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

// One gradient per covariance, in the log of each of its parameter_names.
[[nodiscard]] std::vector<Vector> softmax_evidence_gradient(
    const SoftmaxApproximation& approximation, const std::vector<Covariance>& covariances,
    const Matrix& X);

}  // namespace candor
