// SPDX-License-Identifier: MIT
// The probability that one of C independent normals x_k ~ N(m_k, s_k) is the largest, and what the
// event says about each of them:
//
//   P = ∫ N(v; m_y, s_y) Π_{k≠y} Φ((v - m_k)/√s_k) dv
//
// The integrand is log-concave.  It is summed around its mode, by the trapezoidal rule where it is
// smooth (an entire function that falls off like a Gaussian: the error decays faster than any power)
// and by graded Gauss–Legendre panels where some √s_k is far below √s_y.  All sums are relative to
// the mode, so a P that underflows costs no digits.  Derivation: docs/math/multiclass.md.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// Per class, in units of its √s_k: neither `curvature` nor `shrink` is 1 minus the other.
struct LargestNormal {
  double log_P;
  double missing;    // 1 - P, with its own digits where P is near 1; by panels only to 1e-17
  Vector slope;      // √s_k ∂ log P/∂m_k
  Vector curvature;  // -s_k ∂² log P/∂m_k²
  Vector shrink;     // Var[x_k | x_y largest]/s_k = 1 - curvature
  Vector mean;       // E[x_k | x_y largest]
};

// 0 ≤ y < C, variances positive.
[[nodiscard]] LargestNormal largest_normal(Index y, const VectorRef& mean,
                                           const VectorRef& variance);

// log P alone, for less.
[[nodiscard]] double log_probability_largest(Index y, const VectorRef& mean,
                                             const VectorRef& variance);

}  // namespace candor
