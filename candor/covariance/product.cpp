// SPDX-License-Identifier: MIT
#include <candor/covariance/product.hpp>

#include <candor/covariance/covariance.hpp>
#include <candor/covariance/log_parameters.hpp>

namespace candor {

void Product::evaluate(const RowPairs& pairs, MatrixOut K) const {
  factors.front().evaluate(pairs, K);
  Matrix factor(factors.size() > 1 ? K.rows() : 0, factors.size() > 1 ? K.cols() : 0);
  for (std::size_t f = 1; f < factors.size(); ++f) {
    factors[f].evaluate(pairs, factor);
    K.array() *= factor.array();
  }
}

Vector Product::diagonal(const MatrixRef& X, Rows rows) const {
  Vector total = Vector::Ones(X.rows());
  for (const Covariance& factor : factors) total.array() *= factor.diagonal(X, rows).array();
  return total;
}

double Product::pullback(const RowPairs& pairs, const MatrixRef& K_bar,
                         GradientRef gradient) const {
  // The adjoint of one factor is K̄ times all others: those before it are gathered on the way,
  // those after it are kept.  Dividing the whole product by the factor would fail where it is 0.
  std::vector<Matrix> from(factors.size());  // product of the factors from here on
  for (std::size_t f = factors.size(); f-- > 1;) {
    from[f].resize(K_bar.rows(), K_bar.cols());
    factors[f].evaluate(pairs, from[f]);
    if (f + 1 < factors.size()) from[f].array() *= from[f + 1].array();
  }
  Matrix before = K_bar;  // K̄ times the factors before this one
  Matrix value(K_bar.rows(), K_bar.cols());
  double inner = 0.0;
  Index first = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const bool last = f + 1 == factors.size();
    const Index count = log_parameter_count(factors[f]);
    const Matrix factor_bar = last ? before : Matrix(before.cwiseProduct(from[f + 1]));
    inner = factors[f].pullback(pairs, factor_bar, gradient.segment(first, count));
    first += count;
    if (!last) {
      factors[f].evaluate(pairs, value);
      before.array() *= value.array();
    }
  }
  return inner;
}

}  // namespace candor
