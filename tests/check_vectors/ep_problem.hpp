// SPDX-License-Identifier: MIT
// A binary EP problem of a reference vector, solved, and every quantity the vectors know of it.
#pragma once

#include "case.hpp"

#include <candor/inference/inference.hpp>
#include <candor/inference/predict.hpp>
#include <candor/linalg/types.hpp>

#include <map>
#include <string>
#include <variant>

namespace check_vectors {

struct EpProblemData {
  candor::Matrix X;
  candor::Vector y;
  Hyperparameters hyp;
  double eps = 0.0;

  // Noise-free latents: the noise v₂ stands in the likelihood.
  [[nodiscard]] candor::Approximation solve(const candor::Inference& engine) const;
  // The papers' form: the noise stands in the covariance, the likelihood is a step.
  [[nodiscard]] candor::Approximation solve_papers_form(const candor::Inference& engine) const;
  [[nodiscard]] candor::Threshold likelihood() const;
};
[[nodiscard]] EpProblemData read_ep_problem(const Problem& problem);

// The tightest residual that rounding lets every well-posed problem reach.
inline constexpr double ep_tolerance = 1e-10;

using Quantity = std::variant<double, candor::Vector>;

// By the names the vectors use.  Those of the noisy latent f = g + noise follow from the noise-free
// g.
[[nodiscard]] std::map<std::string, Quantity> ep_quantities(const EpProblemData& data,
                                                            const candor::Approximation& q);
[[nodiscard]] std::map<std::string, Quantity> prediction_quantities(const EpProblemData& data,
                                                                    const candor::Approximation& q,
                                                                    const candor::Matrix& X_test);

// d log evidence/d log hyperparameter, and d/d eps itself.
[[nodiscard]] std::map<std::string, Quantity> gradient_quantities(const EpProblemData& data,
                                                                  candor::Approximation& q);

}  // namespace check_vectors
