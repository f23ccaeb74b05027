// SPDX-License-Identifier: MIT
#include <candor/inference/evidence_gradient.hpp>

#include <candor/covariance/gram.hpp>

namespace candor {

EvidenceGradient evidence_gradient(Approximation& approximation, const Covariance& covariance,
                                   const Matrix& X) {
  const Matrix W = approximation.posterior.precision();  // lower triangle
  const Vector& alpha = approximation.alpha;
  const Vector& shift = approximation.adjoint_shift;
  const AdjointBlock K_bar = [&](Index i, Index j, MatrixOut out) {
    const Index rows = out.rows(), cols = out.cols();
    if (i == j) {
      out = W.block(i, j, rows, cols).selfadjointView<Eigen::Lower>();
    } else {
      out = W.block(i, j, rows, cols);
    }
    out = 0.5 * ((alpha + shift).segment(i, rows) * alpha.segment(j, cols).transpose() +
                 alpha.segment(i, rows) * shift.segment(j, cols).transpose() - out);
  };
  return {pullback(covariance, X, K_bar, approximation.posterior.threads()),
          approximation.likelihood_gradient};
}

}  // namespace candor
