// SPDX-License-Identifier: MIT
#include <candor/likelihood/label.hpp>
#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/check.hpp>

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
  const auto d = candor::log_Z_gradient(step(row), row.y, cavity, noise_variance);
  const bool is_learned = std::isnan(row.known_flip_rate);
  return Vector{{is_learned ? d.wrong + d.missed : 0.0, d.log_noise}};
}

double Threshold::p_wrong(const Observation& row, Moments cavity) const {
  return candor::p_wrong(step(row), row.y, cavity, noise_variance);
}

LabelProbabilities Threshold::predict(Moments latent) const {
  return candor::predict(step({.y = 1.0}), latent, noise_variance);
}

}  // namespace candor
