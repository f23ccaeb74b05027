// SPDX-License-Identifier: MIT
#include <candor/likelihood/asymmetric_threshold.hpp>
#include <candor/likelihood/label.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/normal.hpp>

#include <cmath>

namespace candor {

void AsymmetricThreshold::check() const {
  check_interval("flip_positive", flip_positive, 0.0, 1.0);
  check_interval("flip_negative", flip_negative, 0.0, 1.0);
  check_interval("flip_positive + flip_negative", flip_positive + flip_negative, 0.0, 1.0);
  check_non_negative("noise_variance", noise_variance);
}

void AsymmetricThreshold::check(const Observation& row) const {
  check_label(row);
  check_known_flip_rate(row);
}

FlippedStep AsymmetricThreshold::step(const Observation& row) const {
  if (!std::isnan(row.known_flip_rate))
    return {.wrong = row.known_flip_rate, .missed = row.known_flip_rate};
  if (row.y > 0.0) return {.wrong = flip_negative, .missed = flip_positive};
  return {.wrong = flip_positive, .missed = flip_negative};
}

LogDensity AsymmetricThreshold::log_density(const Observation& row, double f) const {
  return candor::log_density(step(row), row.y, f, noise_variance);
}

Tilted AsymmetricThreshold::tilted(const Observation& row, Moments cavity) const {
  return candor::tilted(step(row), row.y, cavity, noise_variance);
}

Vector AsymmetricThreshold::log_Z_gradient(const Observation& row, Moments cavity) const {
  const double z = standardised(row.y, cavity.mean, cavity.variance + noise_variance);
  Vector gradient = Vector::Zero(3);
  if (std::isnan(row.known_flip_rate)) {
    const FlippedStepShares share = shares(step(row), z);
    // Raising ε of the recorded class raises `missed`, that of the other class `wrong`.
    gradient[0] = row.y > 0.0 ? -share.same : share.other;
    gradient[1] = row.y > 0.0 ? share.other : -share.same;
  }
  gradient[2] = log_Z_gradient_in_noise(step(row), z, cavity, noise_variance);
  return gradient;
}

double AsymmetricThreshold::p_wrong(const Observation& row, Moments cavity) const {
  return candor::p_wrong(step(row),
                         standardised(row.y, cavity.mean, cavity.variance + noise_variance));
}

LabelProbabilities AsymmetricThreshold::predict(Moments latent) const {
  const double clean = normal_cdf(standardised(1.0, latent.mean, latent.variance + noise_variance));
  return {normal_cdf(standardised(1.0, latent.mean, latent.variance)), clean,
          flip_negative + (1.0 - flip_positive - flip_negative) * clean};
}

}  // namespace candor
