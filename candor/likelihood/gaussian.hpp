// SPDX-License-Identifier: MIT
// Gaussian noise on real targets, p(y | f) = N(y; f, v), v > 0: GP regression, and the likelihood
// for which every inference engine is exact.
//
// The label probabilities of `predict` are those of the sign of a target: `sign` of the latent
// value, Φ(m/√s²), `clean` and `observed` of the noisy target itself, Φ(m/√(s² + v)): no label is
// flipped.
#pragma once

#include <candor/likelihood/parameter.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <tuple>

namespace candor {

struct Gaussian {
  double noise_variance = 1.0;  // v

  static constexpr std::string_view name = "gaussian";
  static constexpr auto parameters() {
    return std::tuple{noise_variance_parameter(&Gaussian::noise_variance)};
  }

  void check() const;
  void check(const Observation& row) const;
  LogDensity log_density(const Observation& row, double f) const;
  Tilted tilted(const Observation& row, Moments cavity) const;
  Vector log_Z_gradient(const Observation& row, Moments cavity) const;
  double p_wrong(const Observation& /*row*/, Moments /*cavity*/) const { return 0.0; }
  LabelProbabilities predict(Moments latent) const;
  bool is_log_concave() const { return true; }

  bool operator==(const Gaussian&) const = default;
};

}  // namespace candor
