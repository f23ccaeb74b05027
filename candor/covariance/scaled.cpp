// SPDX-License-Identifier: MIT
#include <candor/covariance/scaled.hpp>

#include <candor/covariance/covariance.hpp>

namespace candor {

void Scaled::evaluate(const RowPairs& pairs, MatrixOut K) const {
  (*factor).evaluate(pairs, K);
  K *= variance;
}

Vector Scaled::diagonal(const MatrixRef& X, Rows rows) const {
  return variance * (*factor).diagonal(X, rows);
}

double Scaled::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  auto factor_gradient = gradient.tail(gradient.size() - 1);
  gradient[0] = variance * (*factor).pullback(pairs, K_bar, factor_gradient);
  factor_gradient *= variance;
  return gradient[0];
}

}  // namespace candor
