// SPDX-License-Identifier: MIT
#include <candor/covariance/noise.hpp>

namespace candor {

void Noise::evaluate(const RowPairs& pairs, MatrixOut K) const {
  K.setZero();
  pairs.for_each_same_row([&](Index i, Index j) { K(i, j) = variance; });
}

Vector Noise::diagonal(const MatrixRef& X, Rows rows) const {
  return Vector::Constant(X.rows(), rows == Rows::observed ? variance : 0.0);
}

double Noise::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  double trace = 0.0;
  pairs.for_each_same_row([&](Index i, Index j) { trace += K_bar(i, j); });
  return gradient[0] = variance * trace;
}

}  // namespace candor
