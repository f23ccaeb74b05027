// SPDX-License-Identifier: MIT
#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/label.hpp>
#include <candor/likelihood/logistic.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/linalg/normal.hpp>

#include <cmath>

namespace candor {

void Logistic::check(const Observation& row) const {
  check_label(row);
  check_no_known_flip_rate(row);
}

LogDensity Logistic::log_density(const Observation& row, double f) const {
  const double t = row.y * f;
  const double e = std::exp(-std::abs(t));
  const double large = 1.0 / (1.0 + e);  // σ(|t|)
  const double small = e * large;        // σ(-|t|)
  const double curvature = large * small;
  const double tanh_half = -std::expm1(-std::abs(t)) * large;  // tanh(|t|/2)
  return {log_logistic(t), row.y * (t > 0.0 ? small : large), -curvature,
          curvature * std::copysign(tanh_half, f)};
}

Tilted Logistic::tilted(const Observation& row, Moments cavity) const {
  const LogisticTilted t = logistic_tilted({row.y * cavity.mean, cavity.variance});
  const double tau = t.beta / t.variance_ratio;
  // ν = m̂/v̂ - m/v with the difference taken: slope and, where it matters, m̂ have the sign of y.
  const double nu = t.slope + t.moments.mean * tau;
  return {t.log_Z, {tau, row.y * nu}, {row.y * t.moments.mean, t.moments.variance}};
}

LabelProbabilities Logistic::predict(Moments latent) const {
  const double clean = expected_logistic(latent);
  return {normal_cdf(standardised(1.0, latent.mean, latent.variance)), clean, clean};
}

}  // namespace candor
