// SPDX-License-Identifier: MIT
// What is learned: a covariance and a likelihood with their numbers, and the engine that joins
// them.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/inference.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

namespace candor {

struct Model {
  Covariance covariance = SquaredExponential{};
  Likelihood likelihood = Threshold{};
  Inference inference = Ep{};
};

// Whether every p(y|f) of the table is log-concave: EP then has one fixed point, Laplace one mode
// and the variational bound one summit. Labels that may be wrong are not, be it by the model's rate
// or by a row's own.
[[nodiscard]] inline bool is_log_concave(const Likelihood& likelihood,
                                         const Observations& observations) {
  const bool has_known_errors =
      (observations.known_flip_rate.array() > 0.0).any() || observations.confusion.size() > 0;
  return !has_known_errors &&
         std::visit([](const auto& l) { return l.is_log_concave(); }, likelihood);
}

}  // namespace candor
