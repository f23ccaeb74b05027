// SPDX-License-Identifier: MIT
// A covariance times a number: k(x, x') = s² k₁(x, x').  It gives the unit-variance covariances
// their amplitude; written `2 * squared_exponential(…)`.
#pragma once

#include <candor/covariance/box.hpp>
#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

namespace candor {

struct Covariance;

struct Scaled {
  double variance = 1.0;  // s², not s
  Box<Covariance> factor;

  static constexpr std::string_view name = "scaled";
  static constexpr auto parameters() {
    return std::tuple{learned("variance", &Scaled::variance), operand("factor", &Scaled::factor)};
  }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
