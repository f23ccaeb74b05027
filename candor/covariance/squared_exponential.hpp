// SPDX-License-Identifier: MIT
// Squared-exponential covariance of unit variance:
//
//   k(x, x') = exp(-½ R²),   R² = Σ_d D_d / ℓ_d²                     [RW06, eqs. 4.9 and 5.1]
//   D_d = (x_d - x'_d)² on a continuous column, 1 - δ(x_d, x'_d) on a discrete one
//
// One lengthscale is shared by all columns, or there is one per column.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct SquaredExponential {
  Vector lengthscale = Vector::Ones(1);  // ℓ, in the units of X
  std::vector<Index> discrete{};         // columns compared by equality

  static constexpr std::string_view name = "squared_exponential";
  static constexpr auto parameters() {
    return std::tuple{learned("lengthscale", &SquaredExponential::lengthscale),
                      fixed("discrete", &SquaredExponential::discrete)};
  }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
