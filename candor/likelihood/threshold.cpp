// SPDX-License-Identifier: MIT
#include <candor/likelihood/label.hpp>
#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/normal.hpp>

#include <cmath>

namespace candor {

void Threshold::check() const {
  check_interval("flip_probability", flip_probability, 0.0, 0.5);
  check_non_negative("noise_variance", noise_variance);
}

void Threshold::check(const Observation& row) const {
  check_label(row);
  check_known_flip_rate(row);
}

FlippedStep Threshold::step(const Observation& row) const {
  const double rate = std::isnan(row.known_flip_rate) ? flip_probability : row.known_flip_rate;
  return {.wrong = rate, .missed = rate};
}

LogDensity Threshold::log_density(const Observation& row, double f) const {
  return candor::log_density(step(row), row.y, f, noise_variance);
}

Tilted Threshold::tilted(const Observation& row, Moments cavity) const {
  return candor::tilted(step(row), row.y, cavity, noise_variance);
}

Vector Threshold::log_Z_gradient(const Observation& row, Moments cavity) const {
  const double z = standardised(row.y, cavity.mean, cavity.variance + noise_variance);
  Vector gradient = Vector::Zero(2);
  if (std::isnan(row.known_flip_rate)) {
    const FlippedStepShares share = shares(step(row), z);
    gradient[0] = share.other - share.same;
  }
  gradient[1] = log_Z_gradient_in_noise(step(row), z, cavity, noise_variance);
  return gradient;
}

double Threshold::p_wrong(const Observation& row, Moments cavity) const {
  return candor::p_wrong(step(row),
                         standardised(row.y, cavity.mean, cavity.variance + noise_variance));
}

LabelProbabilities Threshold::predict(Moments latent) const {
  const double clean = normal_cdf(standardised(1.0, latent.mean, latent.variance + noise_variance));
  return {normal_cdf(standardised(1.0, latent.mean, latent.variance)), clean,
          flip_probability + (1.0 - 2.0 * flip_probability) * clean};
}

}  // namespace candor
