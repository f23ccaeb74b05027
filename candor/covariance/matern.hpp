// SPDX-License-Identifier: MIT
// Matérn covariance of unit variance and smoothness ν:
//
//   k(x, x') = 2^(1-ν)/Γ(ν) u^ν K_ν(u),   u = √(2ν) R                [RW06, eq. 4.14]
//
// with R² as in squared_exponential.hpp, which is the limit ν → ∞.  ν = ½, 3/2, 5/2 are evaluated
// in closed form [RW06, eq. 4.17], any other by Bessel functions at some hundred times the cost.
// Smoothness is a setting: it is not learned and has no entry in the gradient.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <string>
#include <vector>

namespace candor {

struct Matern {
  double smoothness = 1.5;               // ν, at most `max_smoothness`
  Vector lengthscale = Vector::Ones(1);  // ℓ, one or one per column
  std::vector<Index> discrete{};         // columns compared by equality

  static constexpr double max_smoothness = 500.0;
  static constexpr std::string_view name = "matern";
  static constexpr auto parameters() {
    return std::tuple{fixed("smoothness", &Matern::smoothness),
                      learned("lengthscale", &Matern::lengthscale),
                      fixed("discrete", &Matern::discrete)};
  }

  void check(const std::string& path) const;
  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
