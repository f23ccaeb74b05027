// SPDX-License-Identifier: MIT
// Problems of many classes on which EP's loop from the prior runs in circles: sharp boundaries, and
// a few labels on the wrong side of them that are hardly ever wrong.
#pragma once

#include "zoo.hpp"

#include <candor/inference/multiclass_ep.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <ostream>
#include <random>

namespace candor {

// Forty rows of the plane; three of them, or fewer, have the next label.
struct HardProblem {
  ClassForm form;
  Index classes;
  double rate, lengthscale;
  unsigned seed;
  double variance = 100.0;
  Matrix X = random_matrix(40, 2, seed);

  [[nodiscard]] Observations observations() const {
    Observations all{.y = Vector(X.rows()), .classes = classes};
    for (Index i = 0; i < X.rows(); ++i) {
      const double turn = std::atan2(X(i, 1), X(i, 0)) / (2.0 * std::numbers::pi) + 0.5;
      all.y[i] = std::floor(turn * static_cast<double>(classes));
    }
    std::mt19937_64 random(seed);
    for (int k = 0; k < 3; ++k) {
      double& y = all.y[static_cast<Index>(random() % static_cast<std::uint64_t>(X.rows()))];
      y = std::fmod(y + 1.0, static_cast<double>(classes));
    }
    return all;
  }
  [[nodiscard]] Covariance covariance() const {
    return variance * Covariance(SquaredExponential{.lengthscale = Vector{{lengthscale}}});
  }
  [[nodiscard]] Approximation solve(const Observations& labels, const Ep& engine = {},
                                    const std::optional<Sites>& start = std::nullopt) const {
    return multiclass_ep(engine, RobustMax{rate, 1.0, classes}, labels,
                         class_posterior(form, classes, {covariance()}, X, Threads{1}), start);
  }
};

inline std::ostream& operator<<(std::ostream& out, const HardProblem& p) {
  return out << name_of(p.form) << " " << p.classes << " classes, rate " << p.rate
             << ", lengthscale " << p.lengthscale << ", variance " << p.variance << ", seed "
             << p.seed;
}

}  // namespace candor
