// SPDX-License-Identifier: MIT
#include <candor/covariance/squared_exponential.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/covariance/elementwise.hpp>

namespace candor {

void SquaredExponential::evaluate(const RowPairs& pairs, MatrixOut K) const {
  ScaledDistance(pairs, lengthscale, discrete).evaluate(K);
  exp_decay(-0.5, K, K);
}

Vector SquaredExponential::diagonal(const MatrixRef& X, Rows) const {
  return Vector::Ones(X.rows());
}

double SquaredExponential::pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                    GradientRef gradient) const {
  ScaledDistance distance(pairs, lengthscale, discrete);
  Matrix R2(pairs.rows(), pairs.cols());
  distance.evaluate(R2);
  Matrix R2_bar(R2.rows(), R2.cols());
  const Vector sums = weighted_exp_decay(-0.5, R2, -0.5, K_bar, R2_bar);  // dρ/dR² = -½ρ
  const double inner = -2.0 * sums.sum();
  distance.pullback(R2, R2_bar, sums, gradient);
  return inner;
}

}  // namespace candor
