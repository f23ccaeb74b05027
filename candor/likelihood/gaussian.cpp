// SPDX-License-Identifier: MIT
#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/gaussian.hpp>
#include <candor/likelihood/label.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/normal.hpp>

#include <cmath>
#include <numbers>

namespace candor {
namespace {

double log_normal_density(double deviation, double variance) {
  return -0.5 * (std::log(2.0 * std::numbers::pi * variance) + deviation * (deviation / variance));
}

}  // namespace

void Gaussian::check() const { check_positive("noise_variance", noise_variance); }

void Gaussian::check(const Observation& row) const {
  check_finite("y", row.y);
  check_no_known_flip_rate(row);
}

LogDensity Gaussian::log_density(const Observation& row, double f) const {
  const double deviation = row.y - f;
  return {log_normal_density(deviation, noise_variance), deviation / noise_variance,
          -1.0 / noise_variance, 0.0};
}

Tilted Gaussian::tilted(const Observation& row, Moments cavity) const {
  const double s = cavity.variance + noise_variance;
  const double mean = (noise_variance / s) * cavity.mean + (cavity.variance / s) * row.y;
  return {log_normal_density(row.y - cavity.mean, s),
          {1.0 / noise_variance, row.y / noise_variance},
          {mean, cavity.variance * (noise_variance / s)}};
}

Vector Gaussian::log_Z_gradient(const Observation& row, Moments cavity) const {
  const double s = cavity.variance + noise_variance;
  const double deviation = row.y - cavity.mean;
  return Vector::Constant(1, 0.5 * (noise_variance / s) * (deviation * (deviation / s) - 1.0));
}

LabelProbabilities Gaussian::predict(Moments latent) const {
  const double target =
      normal_cdf(standardised(1.0, latent.mean, latent.variance + noise_variance));
  return {normal_cdf(standardised(1.0, latent.mean, latent.variance)), target, target};
}

}  // namespace candor
