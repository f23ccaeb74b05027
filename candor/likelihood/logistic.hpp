// SPDX-License-Identifier: MIT
// The logistic likelihood, p(y | f) = σ(y f) = 1/(1 + exp(-y f)), y ∈ {-1, +1}: nothing to learn,
// and log-concave.  Integrals against a normal are quadratures (likelihood/logistic_gaussian.hpp).
#pragma once

#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <tuple>

namespace candor {

struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr auto parameters() { return std::tuple<>{}; }

  void check() const {}
  void check(const Observation& row) const;
  LogDensity log_density(const Observation& row, double f) const;
  Tilted tilted(const Observation& row, Moments cavity) const;
  Vector log_Z_gradient(const Observation& /*row*/, Moments /*cavity*/) const { return Vector(0); }
  double p_wrong(const Observation& /*row*/, Moments /*cavity*/) const { return 0.0; }
  LabelProbabilities predict(Moments latent) const;
  bool is_log_concave() const { return true; }

  bool operator==(const Logistic&) const = default;
};

}  // namespace candor
