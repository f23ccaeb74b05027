// SPDX-License-Identifier: MIT
// A sum of covariances, that of a sum of independent functions; written `a + b`.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct Covariance;

struct Sum {
  std::vector<Covariance> terms;  // at least one

  static constexpr std::string_view name = "sum";
  static constexpr auto parameters() { return std::tuple{operand("terms", &Sum::terms)}; }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
