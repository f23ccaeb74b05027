// SPDX-License-Identifier: MIT
// Any likelihood: a value holding one of the alternatives below, which is the only list of them.
//
// Each alternative L is a plain struct with
//   L::name                                    its name in text, files and messages
//   L::parameters()                            tuple of named members (likelihood/parameter.hpp)
//   check()                                    InvalidInput when a parameter is out of its domain
//   check(Observation)                         InvalidInput when it cannot have produced it
//   log_density(Observation, f) → LogDensity   log p(y|f) and three derivatives in f
//   tilted(Observation, Moments) → Tilted      ∫ p(y|f) N(f; cavity) df, and the matching site
//   log_Z_gradient(Observation, Moments) → Vector
//                                              ∂ log Z/∂(parameter) at a fixed cavity, in the
//                                              order of parameters(): in log x for a positive x,
//                                              in ε itself for a rate
//   p_wrong(Observation, Moments) → double     probability that this row's label was flipped
//   predict(Moments latent) → LabelProbabilities
//   is_log_concave() → bool                    whether every p(y|f) is log-concave in f
#pragma once

#include <candor/likelihood/asymmetric_threshold.hpp>
#include <candor/likelihood/gaussian.hpp>
#include <candor/likelihood/logistic.hpp>
#include <candor/likelihood/parameter.hpp>
#include <candor/likelihood/probit.hpp>
#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/types.hpp>

#include <string_view>
#include <variant>
#include <vector>

namespace candor {

using Likelihood = std::variant<Threshold, AsymmetricThreshold, Probit, Logistic, Gaussian>;

[[nodiscard]] std::string_view name_of(const Likelihood& likelihood);

// InvalidInput when a parameter is out of its domain.
void check(const Likelihood& likelihood);

// In the order of L::parameters(), which is also that of log_Z_gradient.  Values are the numbers
// themselves, never their logarithms.
[[nodiscard]] std::vector<std::string_view> parameter_names(const Likelihood& likelihood);
[[nodiscard]] std::vector<LikelihoodDomain> parameter_domains(const Likelihood& likelihood);
[[nodiscard]] Vector parameter_values(const Likelihood& likelihood);

// The same alternative with other values; InvalidInput when their number or a domain is wrong.
[[nodiscard]] Likelihood with_parameter_values(const Likelihood& likelihood,
                                               const VectorRef& values);

}  // namespace candor
