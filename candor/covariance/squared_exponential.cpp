// SPDX-License-Identifier: MIT
#include <candor/covariance/squared_exponential.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/covariance/elementwise.hpp>

namespace candor {

void SquaredExponential::evaluate(const RowPairs& pairs, MatrixOut K) const {
  ScaledDistance{lengthscale, discrete}.evaluate(pairs, K);
  K *= -0.5;
  exp_of_nonpositive(K);
}

Vector SquaredExponential::diagonal(const MatrixRef& X, Rows) const {
  return Vector::Ones(X.rows());
}

double SquaredExponential::pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                                    GradientRef gradient) const {
  const ScaledDistance distance{lengthscale, discrete};
  Matrix R2(pairs.rows(), pairs.cols());
  distance.evaluate(pairs, R2);
  Matrix R2_bar = -0.5 * R2;
  exp_of_nonpositive(R2_bar);
  R2_bar.array() *= -0.5 * K_bar.array();  // dρ/dR² = -½ρ
  const double inner = -2.0 * R2_bar.sum();
  distance.pullback(pairs, R2, R2_bar, gradient);
  return inner;
}

}  // namespace candor
