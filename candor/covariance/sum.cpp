// SPDX-License-Identifier: MIT
#include <candor/covariance/sum.hpp>

#include <candor/covariance/covariance.hpp>
#include <candor/covariance/log_parameters.hpp>

namespace candor {

void Sum::evaluate(const RowPairs& pairs, MatrixOut K) const {
  terms.front().evaluate(pairs, K);
  Matrix term(terms.size() > 1 ? K.rows() : 0, terms.size() > 1 ? K.cols() : 0);
  for (std::size_t t = 1; t < terms.size(); ++t) {
    terms[t].evaluate(pairs, term);
    K += term;
  }
}

Vector Sum::diagonal(const MatrixRef& X, Rows rows) const {
  Vector total = Vector::Zero(X.rows());
  for (const Covariance& term : terms) total += term.diagonal(X, rows);
  return total;
}

double Sum::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  double inner = 0.0;
  Index first = 0;
  for (const Covariance& term : terms) {
    const Index count = log_parameter_count(term);
    inner += term.pullback(pairs, K_bar, gradient.segment(first, count));
    first += count;
  }
  return inner;
}

}  // namespace candor
