// SPDX-License-Identifier: MIT
// Small random learning problems: n 30-150, d 1-6, six covariances, 0-20 % of the labels flipped.
#pragma once

#include "dice.hpp"

#include <candor/learning/model.hpp>
#include <candor/linalg/types.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace candor::bench {

struct LearningProblem {
  Matrix X;
  Vector y;
  std::string covariance_name;
  Covariance covariance;
};

inline std::pair<std::string, Covariance> random_covariance(Dice& dice, Index d) {
  const double typical = std::sqrt(static_cast<double>(d));
  const Vector shared = Vector::Constant(1, typical), own = Vector::Constant(d, typical);
  switch (dice.below(6)) {
    case 0:
      return {"squared exponential", 1.0 * Covariance(SquaredExponential{.lengthscale = shared})};
    case 1:
      return {"squared exponential, ARD", 1.0 * Covariance(SquaredExponential{.lengthscale = own})};
    case 2:
      return {"matern 5/2", 1.0 * Covariance(Matern{.smoothness = 2.5, .lengthscale = shared})};
    case 3:
      return {"matern 3/2, ARD", 1.0 * Covariance(Matern{.smoothness = 1.5, .lengthscale = own})};
    case 4:
      return {"rational quadratic", 1.0 * Covariance(RationalQuadratic{.lengthscale = shared})};
    default:
      return {"matern 5/2, ARD + linear + constant",
              4.0 * Covariance(Matern{.smoothness = 2.5, .lengthscale = own}) +
                  Linear{.lengthscale = shared} + Constant{.variance = 1.0}};
  }
}

// A linear or a spherical boundary in some of the columns of normal data.
inline LearningProblem random_learning_problem(std::uint64_t seed) {
  Dice dice(seed);
  const auto n = static_cast<Index>(dice.log_uniform(30.0, 151.0));
  const Index d = 1 + dice.below(6), relevant = 1 + dice.below(d);
  auto [name, covariance] = random_covariance(dice, d);
  LearningProblem problem{Matrix::NullaryExpr(n, d, [&] { return dice.normal(); }),
                          {},
                          std::move(name),
                          std::move(covariance)};
  const Vector direction = Vector::NullaryExpr(relevant, [&] { return dice.normal(); });
  const auto columns = problem.X.leftCols(relevant);
  const bool linear = dice.happens(0.5);
  const Vector score =
      linear ? Vector(columns * direction)
             : Vector(columns.rowwise().squaredNorm().array() - static_cast<double>(relevant));
  const double flips = dice.uniform(0.0, 0.2);
  problem.y = score.unaryExpr([&](double s) {
    const double label = s > 0.0 ? 1.0 : -1.0;
    return dice.happens(flips) ? -label : label;
  });
  return problem;
}

}  // namespace candor::bench
