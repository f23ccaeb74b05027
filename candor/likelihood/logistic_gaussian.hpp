// SPDX-License-Identifier: MIT
// The logistic function σ(f) = 1/(1 + exp(-f)) under a normal density, for which no closed form
// exists:
//
//   Z = ∫ σ(f) N(f; m, v) df   and the moments of the tilted density σ(f) N(f; m, v)/Z
//
// by composite Gauss–Legendre quadrature around the peak of the (log-concave) integrand.  The same
// nodes for the same arguments, relative accuracy about 1e-13 whatever m and v, also where Z
// underflows.
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

// v > 0.
[[nodiscard]] LogisticTilted logistic_tilted(Moments normal);

// E[σ(f)] for f ~ N(m, v); v = 0 is σ(m).
[[nodiscard]] double expected_logistic(Moments normal);

}  // namespace candor
