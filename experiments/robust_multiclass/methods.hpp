// SPDX-License-Identifier: MIT
// The Gaussian process methods that are compared.  All have the covariance
// v₀ squared_exponential(ℓ) + v₁ with one ℓ for all columns, its numbers at the maximum of log
// evidence plus the library's weak prior:
//
//   softmax             softmax Laplace, no label errors
//   one_vs_rest         a binary EP model for each class, ε = 0, answers normalised
//   one_vs_rest_robust  the same with a learned ε in each
//   regular             the multi-class model of [HHD11] by EP, ρ = 0
//   robust              the same with ρ learned; it contains the regular one and never ends below it
//
// Three classes have coupled sites, more have factorised ones, as in the library.
#pragma once

#include "noisy_split.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace candor::experiments {

inline const std::vector<std::string> all_methods{"softmax", "one_vs_rest", "one_vs_rest_robust",
                                                  "regular", "robust"};

struct Answer {
  std::string method;
  Matrix probability;    // test rows × C, of the class before any error
  nlohmann::json extra;  // evidence, rate, outcome
  double seconds = 0.0;  // of one core; a robust model's include the regular one it starts from
};

// Answers of the wanted methods; those that start from another share it.
[[nodiscard]] std::vector<Answer> answers_to(const Task& task,
                                             const std::vector<std::string>& methods);

}  // namespace candor::experiments
