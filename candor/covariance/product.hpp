// SPDX-License-Identifier: MIT
// An elementwise product of covariances; written `a * b`.  A noise factor makes the product
// diagonal.
#pragma once

#include <candor/covariance/parameter.hpp>
#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct Covariance;

struct Product {
  std::vector<Covariance> factors;  // at least one

  static constexpr std::string_view name = "product";
  static constexpr auto parameters() { return std::tuple{operand("factors", &Product::factors)}; }

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

}  // namespace candor
