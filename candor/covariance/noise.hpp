// SPDX-License-Identifier: MIT
// Latent noise, independent for every observed row: k(x_i, x_j) = v₂ δ_ij.
//
// δ is over the row index: two observed rows with equal inputs do not share their noise, and a test
// point has none, even where it equals an observed row.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

namespace candor {

struct Noise {
  double variance = 1.0;  // v₂

  static constexpr std::string_view name = "noise";
  static constexpr auto parameters() { return std::tuple{learned("variance", &Noise::variance)}; }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
