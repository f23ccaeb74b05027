// SPDX-License-Identifier: MIT
// Threshold with latent noise, whose label is flipped with probability ε:
//
//   p(y | f) = ε + (1 - 2ε) Φ(y f/√v₂),   y ∈ {-1, +1},  0 ≤ ε < ½,  v₂ ≥ 0            [KG08]
//
// v₂ = 0 is the step H(y f) of the papers, for covariances that carry the noise themselves.  ε > 0
// bounds log p from below: no single label can drag the posterior far.  Not log-concave then.
#pragma once

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/parameter.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <tuple>

namespace candor {

struct Threshold {
  double flip_probability = 0.0;  // ε
  double noise_variance = 1.0;    // v₂

  static constexpr std::string_view name = "threshold";
  static constexpr auto parameters() {
    return std::tuple{rate_parameter("flip_probability", &Threshold::flip_probability, 0.5),
                      noise_variance_parameter(&Threshold::noise_variance)};
  }

  void check() const;
  void check(const Observation& row) const;
  LogDensity log_density(const Observation& row, double f) const;
  Tilted tilted(const Observation& row, Moments cavity) const;
  Vector log_Z_gradient(const Observation& row, Moments cavity) const;
  double p_wrong(const Observation& row, Moments cavity) const;
  LabelProbabilities predict(Moments latent) const;
  bool is_log_concave() const { return flip_probability == 0.0; }

  // This row's rates: its known one where there is one.
  FlippedStep step(const Observation& row) const;

  bool operator==(const Threshold&) const = default;
};

}  // namespace candor
