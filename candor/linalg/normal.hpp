// SPDX-License-Identifier: MIT
// The standard normal distribution, accurate far into its tails.
//
//   φ(z) = exp(-z²/2)/√(2π),   Φ(z) = ∫_{-∞}^z φ,   r(z) = φ(z)/Φ(z)
//
// r ≈ -z for z ≪ 0, so r+z, 1-r(r+z) and 1+z(r+z) cancel there if computed as written.  All values
// here are accurate to 1e-13 relative for |z| ≤ 1e4 (where they do not underflow), tend to their
// limits beyond, up to ±∞, and are NaN only for NaN.
#pragma once

namespace candor {

[[nodiscard]] double normal_pdf(double z);
[[nodiscard]] double normal_cdf(double z);
[[nodiscard]] double log_normal_cdf(double z);
// z with Φ(z) = p, 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

// With x ~ N(z, 1) truncated to x > 0: mean r+z, variance 1-r(r+z), third cumulant r × skew.
struct NormalRatios {
  double r;                     // φ/Φ
  double r_plus_z;              // r + z                  > 0
  double one_minus_r_r_plus_z;  // 1 - r (r + z)          ∈ (0, 1)
  double one_plus_z_r_plus_z;   // 1 + z (r + z)          > 0
  double skew;                  // (r + z)² - (1 - r (r + z))  > 0
};
[[nodiscard]] NormalRatios normal_ratios(double z);

// The factor Φ(z) of an integrand and its logarithm's derivatives at the cost of one exponential for
// z ≥ 0 and none for z < 0: the part of Φ that underflows is left to the caller, who adds exponents.
struct NormalFactor {
  double scaled;                // Φ(z) exp(½ min(z, 0)²)
  double missing;               // Φ(-z) for z ≥ 0, accurate; 1 for z < 0
  double r;                     // as in NormalRatios
  double r_plus_z;              //
  double one_minus_r_r_plus_z;  //
};
[[nodiscard]] NormalFactor normal_factor(double z);

// log(exp(a) + exp(b)) without overflow; either argument may be -∞.
[[nodiscard]] double log_add_exp(double a, double b);

}  // namespace candor
