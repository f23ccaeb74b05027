// SPDX-License-Identifier: MIT
// E[softmax(f)] by another route than the library's, for independent Gaussian f and for two groups of
// classes that each share a Gaussian part.
//
// From 1/S = ∫ exp(-t S) dt with t = exp(u), and S = Σ_k exp(f_k), the expectation of a product
// over independent classes becomes a product of expectations:
//
//   E[softmax(f)_c] = ∫ E[exp(f_c + u - exp(f_c + u))] Π_{k≠c} E[exp(-exp(f_k + u))] du
//
// Every integral is a trapezoidal sum; all integrands are analytic for |Im| < π/2 and the steps are
// 0.4 on their scale, so that the error is near exp(-2π (π/2)/0.4) = 2e-11;
// cutting normals at 7σ costs no more.
#pragma once

#include <candor/linalg/types.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace candor {

// E over f ~ N(m, v) of exp(f + u - exp(f + u)) and of exp(-exp(f + u)), as (first, second).
inline std::pair<double, double> gumbel_expectations(double m, double v, double u) {
  const double sd = std::sqrt(v);
  const double h = std::min(0.5, 0.4 / std::max(sd, 1e-3));
  double weights = 0.0, density = 0.0, survival = 0.0;
  for (int i = -static_cast<int>(7.0 / h); i <= static_cast<int>(7.0 / h); ++i) {
    const double z = i * h, x = m + sd * z + u, weight = std::exp(-0.5 * z * z);
    const double e = std::exp(std::min(x, 10.0)), gone = std::exp(-e);
    weights += weight;
    density += weight * e * gone;
    survival += weight * gone;
  }
  return {density / weights, survival / weights};
}

inline Vector independent_softmax(const Vector& m, const Vector& v) {
  const Index C = m.size();
  const double widest = 7.0 * std::sqrt(v.maxCoeff());
  Vector sum = Vector::Zero(C);
  constexpr double step = 0.4;
  for (double u = -m.maxCoeff() - widest - 26.0; u < -m.maxCoeff() + widest + 5.0; u += step) {
    Vector density(C), survival(C);
    for (Index c = 0; c < C; ++c) {
      std::tie(density[c], survival[c]) = gumbel_expectations(m[c], v[c], u);
    }
    for (Index c = 0; c < C; ++c) {
      double others = 1.0;
      for (Index k = 0; k < C; ++k) others *= k == c ? 1.0 : survival[k];
      sum[c] += step * density[c] * others;
    }
  }
  return sum;
}

// The first `in_first` classes have a common part that differs from the others' by N(0, between).
inline Vector two_group_softmax(const Vector& m, const Vector& v, Index in_first, double between) {
  const double sd = std::sqrt(between), h = std::min(0.5, 1.0 / sd);
  Vector sum = Vector::Zero(m.size());
  double weights = 0.0;
  for (int i = -static_cast<int>(7.0 / h); i <= static_cast<int>(7.0 / h); ++i) {
    const double z = i * h, weight = std::exp(-0.5 * z * z);
    Vector shifted = m;
    shifted.head(in_first).array() += sd * z;
    sum += weight * independent_softmax(shifted, v);
    weights += weight;
  }
  return sum / weights;
}

}  // namespace candor
