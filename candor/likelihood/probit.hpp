// SPDX-License-Identifier: MIT
// The probit likelihood, p(y | f) = Φ(y f), y ∈ {-1, +1}: Threshold with ε = 0 and v₂ = 1, and
// nothing to learn.  Log-concave.  Tilted moments are [RW06, eq. 3.58].
#pragma once

#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <tuple>

namespace candor {

struct Probit {
  static constexpr std::string_view name = "probit";
  static constexpr auto parameters() { return std::tuple<>{}; }

  void check() const {}
  void check(const Observation& row) const;
  LogDensity log_density(const Observation& row, double f) const;
  Tilted tilted(const Observation& row, Moments cavity) const;
  Vector log_Z_gradient(const Observation& /*row*/, Moments /*cavity*/) const { return Vector(0); }
  double p_wrong(const Observation& /*row*/, Moments /*cavity*/) const { return 0.0; }
  LabelProbabilities predict(Moments latent) const;
  bool is_log_concave() const { return true; }

  bool operator==(const Probit&) const = default;
};

}  // namespace candor
