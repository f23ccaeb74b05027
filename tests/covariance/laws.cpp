// SPDX-License-Identifier: MIT
#include "tests/covariance/laws.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/text.hpp>

#include <Eigen/Eigenvalues>

namespace candor::testing_support {
namespace {

// Vectorised and scalar elementary functions differ in their last bits, products in their order.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

RowPairs observed(const Matrix& X) { return {.X = X, .Z = X, .same_table = true}; }

Matrix gram_of(const Functions& k, const Matrix& X) {
  Matrix K(X.rows(), X.rows());
  k.evaluate(observed(X), K);
  return K;
}

testing::AssertionResult close(const Matrix& a, const Matrix& b, double tolerance) {
  const double difference = (a - b).cwiseAbs().maxCoeff();
  if (difference <= tolerance) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "difference " << difference << " above " << tolerance;
}

}  // namespace

Functions functions_of(const Covariance& covariance) {
  const auto sum_of = [](const Covariance& k, const RowPairs& pairs, const MatrixRef& K_bar) {
    Matrix K(pairs.rows(), pairs.cols());
    k.evaluate(pairs, K);
    return K.cwiseProduct(K_bar).sum();
  };
  return {
      .evaluate = [=](const RowPairs& pairs, MatrixOut K) { covariance.evaluate(pairs, K); },
      .diagonal = [=](const MatrixRef& X, Rows rows) { return covariance.diagonal(X, rows); },
      .pullback = [=](const RowPairs& pairs, const MatrixRef& K_bar,
                      GradientRef gradient) { return covariance.pullback(pairs, K_bar, gradient); },
      .shifted_sum =
          [=](const RowPairs& pairs, const MatrixRef& K_bar, const Vector& shift) {
            const Vector logs = log_parameters(covariance) + shift;
            return sum_of(with_log_parameters(covariance, logs), pairs, K_bar);
          },
      .parameters = log_parameter_count(covariance)};
}

testing::AssertionResult is_symmetric(const Functions& k, const Matrix& X) {
  const Matrix K = gram_of(k, X);
  return close(K, K.transpose(), rounding * K.cwiseAbs().maxCoeff());
}

testing::AssertionResult is_positive_semidefinite(const Functions& k, const Matrix& X) {
  const Matrix K = gram_of(k, X);
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Matrix>(K, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  // Eigenvalues move by at most the norm of the rounding errors in K.
  if (smallest > -rounding * static_cast<double>(K.rows()) * K.norm()) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "eigenvalue " << smallest;
}

testing::AssertionResult diagonal_agrees(const Functions& k, const Matrix& X) {
  const Matrix K = gram_of(k, X);
  return close(K.diagonal(), k.diagonal(X, Rows::observed), rounding * K.cwiseAbs().maxCoeff());
}

testing::AssertionResult blocks_agree_with_the_whole(const Functions& k, const Matrix& X) {
  const Matrix K = gram_of(k, X);
  const Index n = X.rows();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Index rows = std::min<Index>(3, n - i);
      const Index cols = std::min<Index>(2, n - j);
      Matrix block(rows, cols);
      k.evaluate({.X = X.middleRows(i, rows),
                  .Z = X.middleRows(j, cols),
                  .same_table = true,
                  .first_row = i,
                  .first_col = j},
                 block);
      const auto agrees =
          close(block, K.block(i, j, rows, cols), rounding * K.cwiseAbs().maxCoeff());
      if (!agrees) return testing::AssertionResult(agrees) << " in block " << i << ", " << j;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult cross_is_the_gram_without_noise(const Functions& k, const Matrix& X) {
  Matrix expected = gram_of(k, X);
  const double tolerance = rounding * expected.cwiseAbs().maxCoeff();
  expected.diagonal() -= k.diagonal(X, Rows::observed) - k.diagonal(X, Rows::test);
  Matrix K(X.rows(), X.rows());
  k.evaluate({.X = X, .Z = X}, K);
  return close(K, expected, tolerance);
}

testing::AssertionResult pullback_agrees_with_differences(const Functions& k, const Matrix& X,
                                                          const Matrix& K_bar) {
  Vector gradient(k.parameters);
  static_cast<void>(k.pullback(observed(X), K_bar, gradient));
  const Matrix K = gram_of(k, X);
  const double size = K_bar.cwiseAbs().sum() * K.cwiseAbs().maxCoeff();
  constexpr double h = 4e-3;
  // Covariances are good to 1e-13 (docs/decisions/0003), which the smallest step h/4 makes 3e-10.
  constexpr double rounding_of_differences = 3e-10;
  for (Index p = 0; p < k.parameters; ++p) {
    const auto central = [&](double step) {
      const Vector shift = step * Vector::Unit(k.parameters, p);
      return (k.shifted_sum(observed(X), K_bar, shift) -
              k.shifted_sum(observed(X), K_bar, -shift)) /
             (2.0 * step);
    };
    // Richardson's combination errs by O(step⁴): the finer one by a fifteenth of what separates
    // them.
    const auto combined = [&](double step) {
      return (4.0 * central(step / 2) - central(step)) / 3.0;
    };
    const double difference = combined(h / 2);
    const double tolerance = std::abs(combined(h) - difference) + rounding_of_differences * size;
    if (!(std::abs(gradient[p] - difference) <= tolerance)) {
      return testing::AssertionFailure()
             << "parameter " << p << ": pullback " << gradient[p] << ", differences " << difference;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult pullback_returns_the_sum(const Functions& k, const Matrix& X,
                                                  const Matrix& K_bar) {
  Vector gradient(k.parameters);
  const double returned = k.pullback(observed(X), K_bar, gradient);
  const Matrix K = gram_of(k, X);
  const double sum = K.cwiseProduct(K_bar).sum();
  const double tolerance = rounding * K.cwiseAbs().cwiseProduct(K_bar.cwiseAbs()).sum();
  if (std::abs(returned - sum) <= tolerance) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "returned " << returned << ", sum " << sum;
}

testing::AssertionResult round_trips_through_text(
    const Covariance& covariance, const std::function<std::string(const Covariance&)>& write) {
  const std::string text = write(covariance);
  if (parse_covariance(text) == covariance) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text << " is not " << to_text(covariance);
}

testing::AssertionResult round_trips_through_log_parameters(
    const Covariance& covariance,
    const std::function<Covariance(const Covariance&, const Vector&)>& set) {
  const Index count = log_parameter_count(covariance);
  const Vector logs = log_parameters(covariance) + Vector::LinSpaced(count, 0.1, 0.2);
  // exp and log are each good to one unit in the last place.
  const double tolerance =
      4 * std::numeric_limits<double>::epsilon() * (1.0 + logs.cwiseAbs().maxCoeff());
  return close(log_parameters(set(covariance, logs)), logs, tolerance);
}

}  // namespace candor::testing_support
