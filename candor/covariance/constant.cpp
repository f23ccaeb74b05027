// SPDX-License-Identifier: MIT
#include <candor/covariance/constant.hpp>

namespace candor {

void Constant::evaluate(const RowPairs&, MatrixOut K) const { K.setConstant(variance); }

Vector Constant::diagonal(const MatrixRef& X, Rows) const {
  return Vector::Constant(X.rows(), variance);
}

double Constant::pullback(const RowPairs&, const MatrixRef& K_bar, GradientRef gradient) const {
  return gradient[0] = variance * K_bar.sum();
}

}  // namespace candor
