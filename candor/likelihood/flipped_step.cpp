// SPDX-License-Identifier: MIT
#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/flipped_step_shares.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr double largest_log = 690.0;  // exp(690) ≈ 1e300 may still be summed over rows
constexpr double plain_from = 1e-10;  // from this `wrong` on, a Φ(z) that underflows is < 1e-297 Z

FlippedStepShares plain_parts(const FlippedStep& step, double z) {
  const double lower = normal_cdf(-std::abs(z));
  return z > 0.0 ? shares_of(step, 1.0 - lower, lower) : shares_of(step, lower, 1.0 - lower);
}

// For z ≤ 0 and `wrong` so small, or 0, that Z may be all tail.
FlippedStepShares log_parts(const FlippedStep& step, double z) {
  const double log_same = log_normal_cdf(z);
  const double log_other = log_normal_cdf(-z);
  const double log_right = std::log1p(-step.missed) + log_same;
  const auto saturated = [](double x) { return std::exp(std::min(x, largest_log)); };
  if (step.wrong == 0.0)
    return {log_right, 1.0, 0.0, 1.0 / (1.0 - step.missed), saturated(log_other - log_right)};
  const double log_wrong = std::log(step.wrong);
  const double log_Z = log_add_exp(log_wrong + log_other, log_right);
  const double same = std::exp(log_same - log_Z);
  return {log_Z, (1.0 - step.missed - step.wrong) * same, std::exp(log_wrong - log_Z), same,
          saturated(log_other - log_Z)};
}

FlippedStepShares parts(const FlippedStep& step, double z) {
  return z > 0.0 || step.wrong >= plain_from ? plain_parts(step, z) : log_parts(step, z);
}

// a × b where a = 0 wins over an infinite b.
double product(double a, double b) { return a == 0.0 ? 0.0 : a * b; }

}  // namespace

FlippedStepRatios ratios(const FlippedStep& step, double z) {
  const auto [r0, q0, p0, w0, skew0] = normal_ratios(z);
  const auto [log_Z, rho, omega, same, other] = parts(step, z);
  if (step.wrong == 0.0) return {log_Z, r0, q0, p0, w0, skew0};

  const double r = product(rho, r0);
  const double lost = product(omega, r0);  // r₀ - r
  return {log_Z,
          r,
          q0 - lost,
          rho * p0 + omega + product(r, lost),
          w0 - product(lost, z),
          skew0 - product(lost, 3.0 * q0 + (1.0 - 2.0 * omega) * r0)};
}

double standardised(double y, double mean, double variance) {
  if (variance > 0.0) return y * mean / std::sqrt(variance);
  return mean == 0.0 ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), y * mean);
}

Tilted tilted(const FlippedStep& step, double y, Moments cavity, double noise_variance) {
  const double s = cavity.variance + noise_variance;
  const double sd = std::sqrt(s);
  const double latent = cavity.variance / s;
  const double noise = noise_variance / s;
  const double z = y * cavity.mean / sd;
  const FlippedStepRatios at = ratios(step, z);

  const double shrink = noise + latent * at.one_minus_r_r_plus_z;  // 1 - λβ
  const double beta = product(at.r, at.r_plus_z) / s;              // -∂² log Z/∂μ²
  const double slope = y * at.r / sd;                              // ∂ log Z/∂μ
  // μ + λ ∂ log Z/∂μ with the difference r + z already taken.
  const double mean = y * sd * latent * at.r_plus_z + noise * cavity.mean;
  return {at.log_Z,
          {beta / shrink, product(slope, at.one_plus_z_r_plus_z) / shrink},
          {mean, cavity.variance * shrink}};
}

LogDensity log_density(const FlippedStep& step, double y, double f, double noise_variance) {
  const FlippedStepRatios at = ratios(step, standardised(y, f, noise_variance));
  if (noise_variance == 0.0) return {at.log_Z, 0.0, 0.0, 0.0};
  const double sd = std::sqrt(noise_variance);
  return {at.log_Z, y * at.r / sd, -product(at.r, at.r_plus_z) / noise_variance,
          y * product(at.r, at.skew) / (noise_variance * sd)};
}

double log_probability(const FlippedStep& step, double y, double f, double noise_variance) {
  return parts(step, standardised(y, f, noise_variance)).log_Z;
}

FlippedStepGradient log_Z_gradient(const FlippedStep& step, double y, Moments cavity,
                                   double noise_variance) {
  const double s = cavity.variance + noise_variance;
  const double z = standardised(y, cavity.mean, s);
  const FlippedStepShares at = parts(step, z);
  return {.missed = -at.same,
          .wrong = at.other,
          .log_noise = -0.5 * (noise_variance / s) * product(ratios(step, z).r, z)};
}

double p_wrong(const FlippedStep& step, double y, Moments cavity, double noise_variance) {
  const double z = standardised(y, cavity.mean, cavity.variance + noise_variance);
  return parts(step, z).omega * normal_cdf(-z);
}

LabelProbabilities predict(const FlippedStep& positive, Moments latent, double noise_variance) {
  const double clean = normal_cdf(standardised(1.0, latent.mean, latent.variance + noise_variance));
  return {normal_cdf(standardised(1.0, latent.mean, latent.variance)), clean,
          positive.wrong + (1.0 - positive.missed - positive.wrong) * clean};
}

}  // namespace candor
