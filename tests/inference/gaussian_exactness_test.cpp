// SPDX-License-Identifier: MIT
// With Gaussian noise the posterior is Gaussian: every engine must reproduce GP regression.
#include "zoo.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>

namespace candor {
namespace {

// [RW06, eqs. 2.23, 2.24, 2.30], dense and literal.
struct Regression {
  double log_evidence;
  Vector mean, variance;            // of the latent values at the rows
  Vector test_mean, test_variance;  // and at X_test
};

Regression regression(const Setting& setting, double noise_variance, const Matrix& X_test) {
  const Matrix K = gram_matrix(setting.covariance, setting.table.X);
  const Vector& y = setting.table.observations.y;
  const Index n = K.rows();
  const Eigen::LLT<Matrix> chol(K + noise_variance * Matrix::Identity(n, n));
  const Vector alpha = chol.solve(y);
  const double log_determinant = 2.0 * chol.matrixLLT().diagonal().array().log().sum();
  const Matrix K_cross = cross(setting.covariance, setting.table.X, X_test);
  return {-0.5 * (y.dot(alpha) + log_determinant + static_cast<double>(n) * std::log(2.0 * M_PI)),
          K * alpha, (K - K * chol.solve(K)).diagonal(), K_cross.transpose() * alpha,
          prior_variance(setting.covariance, X_test) -
              (K_cross.transpose() * chol.solve(K_cross)).diagonal()};
}

constexpr double noise_variance = 0.3;

std::vector<Setting> gaussian_settings() {
  std::vector<Setting> settings;
  for (Setting& setting : zoo()) {
    if (!std::holds_alternative<Gaussian>(setting.likelihood)) continue;
    setting.likelihood = Gaussian{.noise_variance = noise_variance};
    setting.table.observations.y.array() += 0.3;  // real targets, not labels
    settings.push_back(std::move(setting));
  }
  return settings;
}

// Largest deviation from closed-form regression with this noise.
double regression_deviation(const Setting& setting, double noise) {
  const Matrix X_test = random_matrix(6, setting.table.X.cols(), 3);
  const Regression exact = regression(setting, noise, X_test);
  const Approximation q = solve(setting);
  const auto test = predict(q, setting.covariance, setting.likelihood, setting.table.X, X_test);
  return std::max(
      {difference(q.log_evidence, exact.log_evidence), difference(q.latent_mean, exact.mean),
       difference(q.latent_variance, exact.variance), difference(test.latent_mean, exact.test_mean),
       difference(test.latent_variance, exact.test_variance)});
}

class GaussianNoise : public testing::TestWithParam<Setting> {};

// Rounding only: condition numbers here are below 100.
TEST_P(GaussianNoise, GivesClosedFormRegression) {
  EXPECT_LT(regression_deviation(GetParam(), noise_variance), 1e-12);
}

TEST_P(GaussianNoise, OfAnotherVarianceBreaksTheLaw) {
  EXPECT_GT(regression_deviation(GetParam(), 1.01 * noise_variance), 1e-4);
}

// log p(y_i | the other rows): of the model refitted without the row, the normal density at y_i.
double leave_one_out_deviation(const Setting& setting, const Vector& log_loo) {
  const Index n = setting.table.X.rows();
  Vector refitted(n);
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < n; ++j) {
      if (j != i) others.push_back(j);
    }
    Setting without = setting;
    without.table = rows_of(setting.table, others);
    const auto p = regression(without, noise_variance, setting.table.X.row(i));
    const double variance = p.test_variance[0] + noise_variance;
    const double error = setting.table.observations.y[i] - p.test_mean[0];
    refitted[i] = -0.5 * (error * error / variance + std::log(2.0 * M_PI * variance));
  }
  return difference(log_loo, refitted);
}

TEST_P(GaussianNoise, LeavesOneOutAsARefitWould) {
  const Approximation q = solve(GetParam());
  EXPECT_LT(leave_one_out_deviation(GetParam(), q.log_loo), 1e-11);
}

TEST_P(GaussianNoise, LeavingNoneOutBreaksTheLeaveOneOutLaw) {
  const Approximation q = solve(GetParam());
  Vector kept_in(q.log_loo.size());
  for (Index i = 0; i < kept_in.size(); ++i) {
    kept_in[i] =
        Gaussian{noise_variance}
            .tilted(GetParam().table.observations.row(i), {q.latent_mean[i], q.latent_variance[i]})
            .log_Z;
  }
  EXPECT_GT(leave_one_out_deviation(GetParam(), kept_in), 1e-3);
}

TEST_P(GaussianNoise, DoubtsNoLabel) {
  EXPECT_EQ(solve(GetParam()).p_wrong, Vector::Zero(GetParam().table.X.rows()));
}

INSTANTIATE_TEST_SUITE_P(Engines, GaussianNoise, testing::ValuesIn(gaussian_settings()));

}  // namespace
}  // namespace candor
