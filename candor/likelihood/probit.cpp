// SPDX-License-Identifier: MIT
#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/label.hpp>
#include <candor/likelihood/probit.hpp>

namespace candor {
namespace {

constexpr FlippedStep never_flipped{.wrong = 0.0, .missed = 0.0};
constexpr double noise_variance = 1.0;

}  // namespace

void Probit::check(const Observation& row) const {
  check_label(row);
  check_no_known_flip_rate(row);
}

LogDensity Probit::log_density(const Observation& row, double f) const {
  return candor::log_density(never_flipped, row.y, f, noise_variance);
}

Tilted Probit::tilted(const Observation& row, Moments cavity) const {
  return candor::tilted(never_flipped, row.y, cavity, noise_variance);
}

LabelProbabilities Probit::predict(Moments latent) const {
  return candor::predict(never_flipped, latent, noise_variance);
}

}  // namespace candor
