// SPDX-License-Identifier: MIT
// Rational-quadratic covariance of unit variance, a mixture of squared exponentials of all
// lengthscales:
//
//   k(x, x') = (1 + R²/(2a))^(-a)                                    [RW06, eq. 4.19]
//
// with R² as in squared_exponential.hpp, which is the limit a → ∞.  The shape a is learned.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct RationalQuadratic {
  double shape = 1.0;                    // a
  Vector lengthscale = Vector::Ones(1);  // ℓ, one or one per column
  std::vector<Index> discrete{};         // columns compared by equality

  static constexpr std::string_view name = "rational_quadratic";
  static constexpr auto parameters() {
    return std::tuple{learned("shape", &RationalQuadratic::shape),
                      learned("lengthscale", &RationalQuadratic::lengthscale),
                      fixed("discrete", &RationalQuadratic::discrete)};
  }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
