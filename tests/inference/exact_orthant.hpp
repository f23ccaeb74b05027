// SPDX-License-Identifier: MIT
// tests/oracle/exact_orthant.json: the evidence and flips of up to five rows by orthant
// probabilities, zero mean, as an independent implementation has them.
#pragma once

#include "zoo.hpp"

#include <candor/covariance/covariance.hpp>
#include <candor/likelihood/likelihood.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <utility>
#include <vector>

namespace candor {

struct OrthantCase {
  Matrix X;
  Observations observations;
  Covariance covariance = SquaredExponential{};
  Threshold likelihood{};
  double log_evidence = 0.0, ep_log_evidence = 0.0;
  Vector p_wrong;
};

inline std::vector<OrthantCase> orthant_cases() {
  const auto number = [](const nlohmann::json& json) { return json.get<double>(); };
  std::vector<OrthantCase> cases;
  const auto stored = nlohmann::json::parse(std::ifstream("tests/oracle/exact_orthant.json"));
  for (const auto& c : stored["expected"]["cases"]) {
    const auto n = static_cast<Index>(c["y"].size());
    OrthantCase found{.X = Matrix(n, 2), .observations = labels(Vector(n)), .p_wrong = Vector(n)};
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      found.X.row(i) << number(c["X"][at][0]), number(c["X"][at][1]);
      found.observations.y[i] = number(c["y"][at]);
      found.p_wrong[i] = number(c["expected_exact"]["flip_probability"][at]);
    }
    const auto& hyp = c["hyp"];  // l multiplies squared distances: exp(-½ Σ l d²)
    const Vector l{{number(hyp["l"][0]), number(hyp["l"][1])}};
    found.covariance =
        number(hyp["v0"]) *
            Covariance(SquaredExponential{.lengthscale = l.cwiseSqrt().cwiseInverse()}) +
        Constant{.variance = number(hyp["v1"])};
    found.likelihood = {number(c["eps"]), number(hyp["v2"])};
    found.log_evidence = number(c["expected_exact"]["log_evidence"]);
    found.ep_log_evidence = number(c["expected_ep"]["log_evidence"]);
    cases.push_back(std::move(found));
  }
  return cases;
}

}  // namespace candor
