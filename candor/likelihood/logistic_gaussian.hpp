// SPDX-License-Identifier: MIT
// The logistic function σ(f) = 1/(1 + exp(-f)) under a normal density, for which no closed form
// exists:
//
//   Z = ∫ σ(f) N(f; m, v) df   and the moments of the tilted density σ(f) N(f; m, v)/Z
//
// by composite Gauss–Legendre quadrature around the peak of the (log-concave) integrand, and by its
// limits where the normal is much narrower or much wider than σ.  The same nodes for the same
// arguments, bounded work, and finite values for any |m| ≤ 1e300 and v ≤ 1e300; relative accuracy
// about 1e-13 up to v = 1e4, 1e-11 beyond, also where Z underflows.  log Z near 0 is accurate
// absolutely; slope and β lose their relative accuracy below about exp(-42)/√v and exp(-42)/v.
#pragma once

#include <candor/likelihood/site.hpp>

namespace candor {

[[nodiscard]] double logistic(double f);
[[nodiscard]] double log_logistic(double f);

struct LogisticTilted {
  double log_Z;
  double slope;           // ∂ log Z/∂m
  double beta;            // -∂² log Z/∂m²
  Moments moments;        // of the tilted density
  double variance_ratio;  // tilted variance / v = 1 - v β
};

// v ≥ 0.
[[nodiscard]] LogisticTilted logistic_tilted(Moments normal);

// E[σ(f)] for f ~ N(m, v); v = 0 is σ(m).
[[nodiscard]] double expected_logistic(Moments normal);

}  // namespace candor
