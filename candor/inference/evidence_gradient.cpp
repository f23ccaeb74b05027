// SPDX-License-Identifier: MIT
#include <candor/inference/evidence_gradient.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/multiclass_ep.hpp>
#include <candor/linalg/check.hpp>

namespace candor {

EvidenceGradient evidence_gradient(const Approximation& approximation, const Covariance& covariance,
                                   const Matrix& X) {
  if (approximation.class_posterior) {
    return {covariance_gradient(approximation, {covariance}, X), approximation.likelihood_gradient};
  }
  // A sum over all pairs of rows does not care for their order, so the posterior's own will do.
  const SitePosterior& q = approximation.posterior;
  check_same_size("rows of X", X.rows(), "rows of the approximation", q.size());
  const Matrix X_q = q.in_internal_order(X);
  const Vector alpha = q.in_internal_order(approximation.alpha);
  const Vector shift = q.in_internal_order(approximation.adjoint_shift);
  const AdjointBlock K_bar = [&](Index i, Index j, MatrixOut out) {
    q.adjoint_block(i, j, alpha, shift, out);
  };
  return {pullback(covariance, X_q, K_bar, q.threads()), approximation.likelihood_gradient};
}

}  // namespace candor
