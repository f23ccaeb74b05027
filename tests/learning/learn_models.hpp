// SPDX-License-Identifier: MIT
// The models that the tests of learn() range over, and what they call the same.
#pragma once

#include <candor/learning/learn.hpp>

#include "tests/inference/zoo.hpp"
#include "tests/learning/print.hpp"

#include <cmath>
#include <vector>

namespace candor {

inline const Model regular{.covariance = 1.0 * Covariance(SquaredExponential{}),
                           .likelihood = Threshold{}};
inline const Model robust{.covariance = 1.0 * Covariance(SquaredExponential{}),
                          .likelihood = Threshold{.flip_probability = 0.05, .noise_variance = 0.1}};
inline const Model logistic{.covariance = 1.0 * Covariance(Matern{}) + Linear{},
                            .likelihood = Logistic{},
                            .inference = Laplace{}};
inline const std::vector<Model> three_models{regular, robust, logistic};

inline Learned learn_from(const Table& table, const Model& model, const Learning& options = {},
                          int threads = 1) {
  return learn(model, {table.X, table.observations, Threads{threads}}, options);
}

inline Approximation infer_with(const Model& model, const Table& table) {
  return infer(model.inference, model.covariance, model.likelihood, table.X, table.observations,
               Threads{1});
}

inline bool is_sound(const Learned& learned) {
  const Approximation& q = learned.approximation;
  return std::isfinite(learned.value()) && learned.theta.value.allFinite() &&
         q.latent_mean.allFinite() && q.latent_variance.allFinite() && q.p_wrong.allFinite() &&
         q.log_loo.allFinite();
}

// Two climbs of one hill stop where the next step promises 1e-4: a few times that apart in value.
inline constexpr double same_summit = 5e-4;

// Ep's own tolerance is 1e-8 on the residual; conditioning of the fixed point costs two digits.
inline constexpr double same_answer = 1e-6;

}  // namespace candor
