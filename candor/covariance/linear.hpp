// SPDX-License-Identifier: MIT
// Linear covariance, that of f(x) = Σ_d w_d x_d with independent weights w_d ~ N(0, 1/ℓ_d²):
//
//   k(x, x') = Σ_d x_d x'_d / ℓ_d²                                   [RW06, table 4.1]
//
// A discrete column counts as its one-hot encoding: δ(x_d, x'_d)/ℓ_d².  There is no bias in it: add
// a constant covariance.  A number that is not known (NaN) counts as 0, the mean of a standardised
// column.  Its variance would add 1/ℓ_d² to that of the row, however sure the other rows are that
// w_d is small, which says too much: uncertainty is left to the stationary covariance beside this
// one (docs/decisions/0020-unknown-numbers.md).
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct Linear {
  Vector lengthscale = Vector::Ones(1);  // ℓ, one or one per column
  std::vector<Index> discrete{};         // columns compared by equality

  static constexpr std::string_view name = "linear";
  static constexpr auto parameters() {
    return std::tuple{learned("lengthscale", &Linear::lengthscale),
                      fixed("discrete", &Linear::discrete)};
  }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
