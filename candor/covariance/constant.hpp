// SPDX-License-Identifier: MIT
// Constant covariance, that of an unknown bias: k(x, x') = v₁.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

namespace candor {

struct Constant {
  double variance = 1.0;  // v₁

  static constexpr std::string_view name = "constant";
  static constexpr auto parameters() {
    return std::tuple{learned("variance", &Constant::variance)};
  }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
