// SPDX-License-Identifier: MIT
#include <candor/covariance/matern.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/covariance/elementwise.hpp>
#include <candor/covariance/matern_profile.hpp>
#include <candor/linalg/check.hpp>

#include <cmath>

namespace candor {
namespace {

// exp(-u)
Matrix exp_minus(const Matrix& u) {
  Matrix result(u.rows(), u.cols());
  exp_decay(-1.0, u, result);
  return result;
}

// K ← ρ(R²) in place.
void to_values(double smoothness, MatrixOut R2) {
  auto K = R2.array();
  if (smoothness == 0.5) {
    K = K.sqrt();
    exp_decay(-1.0, R2, R2);
  } else if (smoothness == 1.5) {
    const Matrix u = (3.0 * K).sqrt();
    K = (1.0 + u.array()) * exp_minus(u).array();
  } else if (smoothness == 2.5) {
    const Matrix u = (5.0 * K).sqrt();
    K = (1.0 + u.array() + u.array().square() / 3.0) * exp_minus(u).array();
  } else {
    K = K.unaryExpr(
        [=](double r2) { return matern_profile(smoothness, 2.0 * smoothness * r2).value; });
  }
}

// ρ and dρ/dR² at once.
void to_values_and_slopes(double smoothness, const Matrix& R2, Matrix& values, Matrix& slopes) {
  if (smoothness == 0.5) {
    const Matrix r = R2.cwiseSqrt();
    values = exp_minus(r);
    // Infinite at r = 0, where it is multiplied by R² = 0: any finite number will do.
    slopes = -0.5 * values.array() / r.array().max(1e-150);
  } else if (smoothness == 1.5) {
    const Matrix u = (3.0 * R2.array()).sqrt();
    const Matrix decay = exp_minus(u);
    values = (1.0 + u.array()) * decay.array();
    slopes = -1.5 * decay;
  } else if (smoothness == 2.5) {
    const Matrix u = (5.0 * R2.array()).sqrt();
    const Matrix decay = exp_minus(u);
    values = (1.0 + u.array() + u.array().square() / 3.0) * decay.array();
    slopes = -5.0 / 6.0 * (1.0 + u.array()) * decay.array();
  } else {
    for (Index j = 0; j < R2.cols(); ++j) {
      for (Index i = 0; i < R2.rows(); ++i) {
        const MaternProfile profile = matern_profile(smoothness, 2.0 * smoothness * R2(i, j));
        values(i, j) = profile.value;
        slopes(i, j) = 2.0 * smoothness * profile.slope;
      }
    }
  }
}

}  // namespace

void Matern::check(const std::string& path) const {
  check_at_most(path + "smoothness", smoothness, max_smoothness);
}

void Matern::evaluate(const RowPairs& pairs, MatrixOut K) const {
  ScaledDistance(pairs, lengthscale, discrete).evaluate(K);
  to_values(smoothness, K);
}

Vector Matern::diagonal(const MatrixRef& X, Rows) const { return Vector::Ones(X.rows()); }

double Matern::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  ScaledDistance distance(pairs, lengthscale, discrete);
  Matrix R2(pairs.rows(), pairs.cols());
  distance.evaluate(R2);
  Matrix values(R2.rows(), R2.cols());
  Matrix slopes(R2.rows(), R2.cols());
  to_values_and_slopes(smoothness, R2, values, slopes);
  const double inner = values.cwiseProduct(K_bar).sum();
  slopes.array() *= K_bar.array();
  distance.pullback(R2, slopes, slopes.colwise().sum(), gradient);
  return inner;
}

}  // namespace candor
