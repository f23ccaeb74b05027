// SPDX-License-Identifier: MIT
// Class probabilities under a Gaussian belief about the latent values, for which no closed form
// exists:
//
//   p_c = E[softmax(f)_c],   f ~ N(m, Σ)  with C values of f
//
// Only differences of f matter, so this is an integral over the C - 1 principal axes of Σ about its
// mean over classes, f = m + Σ_j σ_j v_j z_j.  Along z_j the integrand is analytic in the strip
// |Im z| < π/s_j, where s_j = σ_j (max v_j - min v_j), and the trapezoidal rule then gains digits in
// proportion to the number of its nodes, about 12 max(1, s_j) for eight of them: much faster than
// Gauss–Hermite quadrature for s_j > 1.
//
//   C = 2             the logistic integral (likelihood/logistic_gaussian.hpp), error 1e-12
//   few nodes needed  (at most 2^16; C = 3 up to s = 20, C = 4 up to s = 3): the product of
//                     trapezoidal rules, error below 1e-7
//   otherwise         8191 points of a rank-1 lattice and their mirror images, which is no better
//                     than three digits: worst of 12 random problems 4e-4 at C = 10 and 9e-4 at
//                     C = 20 for latent standard deviations near 1.5, 3e-3 and 5e-3 near 8
//
// Errors are absolute; docs/math/softmax.md has the table.  Results are probabilities that sum to 1,
// the same at every call, and finite for |m| ≤ 1e300, Σ ≤ 1e300.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// For many rows: the nodes are made once.  A value without hidden state, safe to share by threads.
class SoftmaxGaussian {
 public:
  explicit SoftmaxGaussian(Index classes);  // InvalidInput unless 2 ≤ classes ≤ max_classes

  // Σ is symmetric and positive semidefinite up to rounding; its lower triangle is read.
  [[nodiscard]] Vector operator()(const VectorRef& mean, const MatrixRef& covariance) const;

  static constexpr Index max_classes = 64;

 private:
  Matrix lattice_;  // (C-1)×points standard normals, empty for C = 2
};

// For one row.
[[nodiscard]] Vector softmax_gaussian(const VectorRef& mean, const MatrixRef& covariance);

}  // namespace candor
