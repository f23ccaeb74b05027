// SPDX-License-Identifier: MIT
#include <candor/likelihood/asymmetric_threshold.hpp>
#include <candor/likelihood/label.hpp>
#include <candor/linalg/check.hpp>

#include <algorithm>
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

double AsymmetricThreshold::truly_positive(double recorded_positive) const {
  const double kept = 1.0 - flip_positive - flip_negative;
  if (kept == 0.0) return recorded_positive;  // labels that say nothing
  const double share = (recorded_positive - flip_negative) / kept;
  return std::clamp(share, 0.0, 1.0);
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
  const auto d = candor::log_Z_gradient(step(row), row.y, cavity, noise_variance);
  if (!std::isnan(row.known_flip_rate)) return Vector{{0.0, 0.0, d.log_noise}};
  // The rate of the recorded class is `missed`, that of the other class `wrong`.
  if (row.y > 0.0) return Vector{{d.missed, d.wrong, d.log_noise}};
  return Vector{{d.wrong, d.missed, d.log_noise}};
}

double AsymmetricThreshold::p_wrong(const Observation& row, Moments cavity) const {
  return candor::p_wrong(step(row), row.y, cavity, noise_variance);
}

LabelProbabilities AsymmetricThreshold::predict(Moments latent) const {
  return candor::predict(step({.y = 1.0}), latent, noise_variance);
}

}  // namespace candor
