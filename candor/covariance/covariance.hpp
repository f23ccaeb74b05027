// SPDX-License-Identifier: MIT
// Any covariance: a leaf, or a scaled covariance, a sum or a product of covariances.  A regular
// value; the list of alternatives below is the only one.
//
// Each alternative K is a plain struct with
//   K::name, K::parameters()         its name and named members (covariance/parameter.hpp)
//   evaluate(pairs, out)             fills out with the block of covariances of these pairs of rows
//   diagonal(X, rows)                the prior variances of the rows of X
//   pullback(pairs, K_bar, gradient) fills gradient with Σ_ij K̄_ij ∂k_ij/∂log p for every learned
//                                    parameter p, and returns Σ_ij K̄_ij k_ij, the derivative in
//                                    the log of an overall factor
//   check(path)                      optional: refuses what positivity alone lets pass
#pragma once

#include <candor/covariance/constant.hpp>
#include <candor/covariance/linear.hpp>
#include <candor/covariance/matern.hpp>
#include <candor/covariance/noise.hpp>
#include <candor/covariance/product.hpp>
#include <candor/covariance/rational_quadratic.hpp>
#include <candor/covariance/scaled.hpp>
#include <candor/covariance/squared_exponential.hpp>
#include <candor/covariance/sum.hpp>

#include <utility>
#include <variant>

namespace candor {

struct Covariance {
  using Node = std::variant<SquaredExponential, RationalQuadratic, Matern, Linear, Constant, Noise,
                            Scaled, Sum, Product>;
  Node node;

  Covariance() = default;
  template <class K>
  requires is_alternative<K, Node> Covariance(K alternative) : node(std::move(alternative)) {}

  void evaluate(const RowPairs& pairs, MatrixOut K) const;
  [[nodiscard]] Vector diagonal(const MatrixRef& X, Rows rows) const;
  [[nodiscard]] double pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                GradientRef gradient) const;
};

// The same tree with the same numbers.
[[nodiscard]] bool operator==(const Covariance& a, const Covariance& b);

// a + b + c is one Sum of three terms, a * b * c one Product of three factors.
[[nodiscard]] Covariance operator+(Covariance a, Covariance b);
[[nodiscard]] Covariance operator*(Covariance a, Covariance b);
[[nodiscard]] Covariance operator*(double variance, Covariance factor);

}  // namespace candor
