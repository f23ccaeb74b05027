// SPDX-License-Identifier: MIT
// The algebra shared by the threshold family: a noisy step whose label may be flipped.
//
//   p(y | f) = wrong Φ(-y f/√v₂) + (1 - missed) Φ(y f/√v₂)
//   Z(z)     = wrong Φ(-z) + (1 - missed) Φ(z),   z = y μ/√s,   s = λ + v₂    for a cavity N(μ, λ)
//
// With r = d log Z/dz, ρ = (1 - missed - wrong) Φ(z)/Z, ω = wrong/Z = 1 - ρ and r₀ the ratio φ/Φ
// of wrong = missed = 0 (linalg/normal.hpp),
//
//   r = ρ r₀,   r + z = (r₀ + z) - ω r₀,   1 - r(r+z) = ρ (1 - r₀(r₀+z)) + ω + ρ ω r₀²
//
// so that nothing cancels and no logarithm of wrong is taken when it is 0.
// Derivation: docs/math/likelihood.md.
#pragma once

#include <candor/likelihood/site.hpp>

namespace candor {

// The rates that matter for a row with label y.  wrong + missed ≤ 1; at 1 the label says nothing.
struct FlippedStep {
  double wrong = 0.0;   // chance that y is recorded where the true label is -y
  double missed = 0.0;  // chance that -y is recorded where the true label is y
};

struct FlippedStepRatios {
  double log_Z;
  double r;                     // d log Z/dz
  double r_plus_z;              // negative where the label contradicts the cavity
  double one_minus_r_r_plus_z;  // > 0
  double one_plus_z_r_plus_z;
  double skew;  // d³ log Z/dz³ = r × skew
};
[[nodiscard]] FlippedStepRatios ratios(const FlippedStep& step, double z);

// y mean/√variance; ±∞ or 0 when the variance is 0.
[[nodiscard]] double standardised(double y, double mean, double variance);

[[nodiscard]] Tilted tilted(const FlippedStep& step, double y, Moments cavity,
                            double noise_variance);

// For noise_variance = 0 the density is constant on either side of f = 0: all derivatives are 0.
[[nodiscard]] LogDensity log_density(const FlippedStep& step, double y, double f,
                                     double noise_variance);

// log p(y | f) without its derivatives.
[[nodiscard]] double log_probability(const FlippedStep& step, double y, double f,
                                     double noise_variance);

// The derivatives of log Z at a fixed cavity.
struct FlippedStepGradient {
  double missed;     // -Φ(z)/Z
  double wrong;      // Φ(-z)/Z, at most 1e300: not representable from z ≈ -37 on with wrong = 0
  double log_noise;  // ∂ log Z/∂ log v₂ = -½ (v₂/s) r z
};
[[nodiscard]] FlippedStepGradient log_Z_gradient(const FlippedStep& step, double y, Moments cavity,
                                                 double noise_variance);

// wrong Φ(-z)/Z, the posterior probability that the label was flipped.
[[nodiscard]] double p_wrong(const FlippedStep& step, double y, Moments cavity,
                             double noise_variance);

// `positive` holds the rates of a row with label +1.
[[nodiscard]] LabelProbabilities predict(const FlippedStep& positive, Moments latent,
                                         double noise_variance);

}  // namespace candor
