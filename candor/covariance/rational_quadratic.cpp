// SPDX-License-Identifier: MIT
#include <candor/covariance/rational_quadratic.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/covariance/elementwise.hpp>

namespace candor {

void RationalQuadratic::evaluate(const RowPairs& pairs, MatrixOut K) const {
  ScaledDistance(pairs, lengthscale, discrete).evaluate(K);
  K = (K.array() * (0.5 / shape)).log1p();
  exp_decay(-shape, K, K);
}

Vector RationalQuadratic::diagonal(const MatrixRef& X, Rows) const {
  return Vector::Ones(X.rows());
}

double RationalQuadratic::pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                   GradientRef gradient) const {
  ScaledDistance distance(pairs, lengthscale, discrete);
  Matrix R2(pairs.rows(), pairs.cols());
  distance.evaluate(R2);
  const double half_over_shape = 0.5 / shape;
  Matrix logs = (R2.array() * half_over_shape).log1p();  // log(1 + b), b = R²/(2a)
  Matrix weighted(R2.rows(), R2.cols());
  exp_decay(-shape, logs, weighted);
  weighted.array() *= K_bar.array();
  const double inner = weighted.sum();
  // ∂ρ/∂log a = a ρ (b/(1+b) - log(1+b))
  const auto b = R2.array() * half_over_shape;
  gradient[0] = shape * (weighted.array() * (b / (1.0 + b) - logs.array())).sum();
  weighted.array() *= -0.5 / (1.0 + b);  // dρ/dR² = -½ρ/(1+b)
  distance.pullback(R2, weighted, weighted.colwise().sum(), gradient.tail(gradient.size() - 1));
  return inner;
}

}  // namespace candor
