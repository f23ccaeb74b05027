// SPDX-License-Identifier: MIT
// Threshold with latent noise, whose label is flipped with a probability that depends on the class:
//
//   p(y = +1 | f) = ε₋ + (1 - ε₊ - ε₋) Φ(f/√v₂),   ε₊, ε₋ ≥ 0,  ε₊ + ε₋ < 1,  v₂ ≥ 0
//
// ε₊ is the chance that a true +1 is recorded as -1, ε₋ that a true -1 is recorded as +1.
// ε₊ = ε₋ is Threshold.
#pragma once

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/parameter.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <tuple>

namespace candor {

struct AsymmetricThreshold {
  double flip_positive = 0.0;   // ε₊
  double flip_negative = 0.0;   // ε₋
  double noise_variance = 1.0;  // v₂

  static constexpr std::string_view name = "asymmetric_threshold";
  static constexpr auto parameters() {
    return std::tuple{rate_parameter("flip_positive", &AsymmetricThreshold::flip_positive, 1.0),
                      rate_parameter("flip_negative", &AsymmetricThreshold::flip_negative, 1.0),
                      noise_variance_parameter(&AsymmetricThreshold::noise_variance)};
  }

  void check() const;
  void check(const Observation& row) const;
  LogDensity log_density(const Observation& row, double f) const;
  Tilted tilted(const Observation& row, Moments cavity) const;
  Vector log_Z_gradient(const Observation& row, Moments cavity) const;
  double p_wrong(const Observation& row, Moments cavity) const;
  LabelProbabilities predict(Moments latent) const;
  bool is_log_concave() const { return flip_positive == 0.0 && flip_negative == 0.0; }

  // The share π of labels that are truly +1 where a share r of them is recorded so, within [0, 1]:
  // r = π(1 - ε₊) + (1 - π) ε₋.
  double truly_positive(double recorded_positive) const;

  // This row's rates: its known one, for either class, where there is one.
  FlippedStep step(const Observation& row) const;

  bool operator==(const AsymmetricThreshold&) const = default;
};

}  // namespace candor
