// SPDX-License-Identifier: MIT
// Two standard normals with correlation r, both below a bound:
//
//   Φ₂(a, b; r) = P(X < a, Y < b) = ∫_{-∞}^a φ(x) Φ((b - r x)/√(1-r²)) dx
//
// The integrand is positive and log-concave.  It is summed by Gauss–Legendre panels from where it
// lives, relative to its largest value: the result has relative accuracy, also where it underflows.
#pragma once

namespace candor {

// The complement is an argument of its own since 1 - r² has few digits near |r| = 1.
struct Correlation {
  double r;
  double complement;  // √(1 - r²) > 0
};
[[nodiscard]] Correlation correlation(double r);

struct BivariateNormal {
  double log_cdf;  // log Φ₂
  double missing;  // 1 - Φ₂, with its own digits where Φ₂ is near 1
  double slope_a;  // ∂ log Φ₂/∂a = φ(a) Φ((b - r a)/√(1-r²))/Φ₂
  double slope_b;  //
  double mixed;    // φ₂(a, b; r)/Φ₂, the mixed second derivative of Φ₂ over Φ₂
  // Of X and Y given X < a, Y < b: means relative to the bounds, and covariances.
  double gap_a;       // E[a - X] > 0
  double gap_b;       // E[b - Y] > 0
  double variance_a;  //
  double variance_b;  //
  double covariance;  //
};

// |r| < 1; a and b finite.
[[nodiscard]] BivariateNormal bivariate_normal(double a, double b, const Correlation& correlation);

}  // namespace candor
