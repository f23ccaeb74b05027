// SPDX-License-Identifier: MIT
// EP against the truth where the truth can be computed: one row, two rows, independent rows.
#include "zoo.hpp"

#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

const Ep engine{.tolerance = 1e-12};

double density(const Likelihood& likelihood, double y, double f) {
  return std::exp(
      std::visit([&](const auto& l) { return l.log_density({.y = y}, f).value; }, likelihood));
}

struct Exact {
  double log_evidence;
  Vector mean, variance;
};

// ∫ p(y|f) N(f; 0, k) df and its moments, by the trapezium rule on smooth integrands.
Exact exact_single(const Likelihood& likelihood, double y, double k) {
  double Z = 0.0, first = 0.0, second = 0.0;
  const double step = 0.004;
  for (int i = -3500; i <= 3500; ++i) {
    const double x = i * step, f = std::sqrt(k) * x;
    const double mass =
        step * std::exp(-0.5 * x * x) / std::sqrt(2.0 * M_PI) * density(likelihood, y, f);
    Z += mass, first += mass * f, second += mass * f * f;
  }
  const double mean = first / Z;
  return {std::log(Z), Vector::Constant(1, mean), Vector::Constant(1, second / Z - mean * mean)};
}

// Two rows with prior variances k and correlation rho, in whitened coordinates.
Exact exact_pair(const Likelihood& likelihood, const Vector& y, double k, double rho) {
  double Z = 0.0;
  Eigen::Vector2d first = Eigen::Vector2d::Zero(), second = first;
  const double step = 0.06;
  for (int i = -170; i <= 170; ++i) {
    for (int j = -170; j <= 170; ++j) {
      const double a = i * step, b = j * step;
      const double prior = step * step * std::exp(-0.5 * (a * a + b * b)) / (2.0 * M_PI);
      const Eigen::Vector2d f =
          std::sqrt(k) * Eigen::Vector2d(a, rho * a + std::sqrt(1.0 - rho * rho) * b);
      const double mass = prior * density(likelihood, y[0], f[0]) * density(likelihood, y[1], f[1]);
      Z += mass;
      first += mass * f;
      second += mass * f.cwiseAbs2();
    }
  }
  const Vector mean = first / Z;
  return {std::log(Z), mean, second / Z - mean.cwiseAbs2()};
}

// Two points at such a distance that a squared exponential gives this correlation.
Approximation fit_pair(const Likelihood& likelihood, const Vector& y, double k, double rho) {
  Matrix X(2, 1);
  X << 0.0, std::sqrt(-2.0 * std::log(rho));
  return infer(engine, k * Covariance(SquaredExponential{}), likelihood, X, labels(y));
}

TEST(ExactAnswers, OfASingleRowAreThoseOfEp) {
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const double y : {-1.0, 1.0}) {
      const Approximation q = infer(engine, 2.5 * Covariance(SquaredExponential{}), likelihood,
                                    Matrix::Zero(1, 1), labels(Vector::Constant(1, y)));
      const Exact exact = exact_single(likelihood, y, 2.5);
      EXPECT_NEAR(q.log_evidence, exact.log_evidence, 1e-10) << name_of(likelihood);
      EXPECT_NEAR(q.latent_mean[0], exact.mean[0], 1e-10) << name_of(likelihood);
      EXPECT_NEAR(q.latent_variance[0], exact.variance[0], 1e-10) << name_of(likelihood);
    }
  }
}

// By symmetry a single label says nothing about the rate: p(y) = ½, and p_wrong = ε.
TEST(ExactAnswers, OfASingleRowUnderSymmetricFlipsAreClosed) {
  for (const double eps : {0.0, 0.1, 0.4}) {
    const Approximation q =
        infer(engine, 2.5 * Covariance(SquaredExponential{}), Threshold{eps, 0.2},
              Matrix::Zero(1, 1), labels(Vector::Constant(1, -1.0)));
    EXPECT_NEAR(q.log_evidence, std::log(0.5), 1e-14);
    EXPECT_NEAR(q.p_wrong[0], eps, 1e-14);
    // E[f] = y (1 - 2ε) k/√(k + v₂) √(2/π)
    EXPECT_NEAR(q.latent_mean[0], -(1.0 - 2.0 * eps) * 2.5 / std::sqrt(2.7) * std::sqrt(2.0 / M_PI),
                1e-13);
  }
}

// Rows that know nothing of each other are single rows.
TEST(ExactAnswers, OfIndependentRowsAreThoseOfEp) {
  Matrix X(3, 1);
  X << 0.0, 100.0, 200.0;
  Vector y(3);
  y << 1, -1, 1;
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    const Approximation q =
        infer(engine, 1.2 * Covariance(SquaredExponential{}), likelihood, X, labels(y));
    double log_evidence = 0.0;
    for (Index i = 0; i < 3; ++i) {
      const Exact exact = exact_single(likelihood, y[i], 1.2);
      log_evidence += exact.log_evidence;
      EXPECT_NEAR(q.latent_mean[i], exact.mean[0], 1e-10) << name_of(likelihood);
    }
    EXPECT_NEAR(q.log_evidence, log_evidence, 1e-10) << name_of(likelihood);
  }
}

// EP is an approximation from two rows on.  The budget is what it was measured to miss on such
// pairs, rounded up: 1e-2 in log evidence, 3 % of a standard deviation in the mean.
TEST(ExactAnswers, OfTwoCorrelatedRowsAreMissedByNoMoreThanTheBudget) {
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const double second : {-1.0, 1.0}) {
      Vector y(2);
      y << 1.0, second;
      const Exact exact = exact_pair(likelihood, y, 1.5, 0.8);
      const Approximation q = fit_pair(likelihood, y, 1.5, 0.8);
      EXPECT_NEAR(q.log_evidence, exact.log_evidence, 1e-2) << name_of(likelihood) << second;
      for (Index i = 0; i < 2; ++i) {
        EXPECT_NEAR(q.latent_mean[i], exact.mean[i], 0.03 * std::sqrt(exact.variance[i]))
            << name_of(likelihood) << second;
      }
    }
  }
}

// The mutant of the budget: Laplace's evidence misses it, so the budget can tell methods apart.
TEST(ExactAnswers, OfTwoCorrelatedRowsAreMissedByLaplace) {
  const Vector y = Vector::Ones(2);
  Matrix X(2, 1);
  X << 0.0, std::sqrt(-2.0 * std::log(0.8));
  const Approximation q =
      infer(Laplace{}, 1.5 * Covariance(SquaredExponential{}), Probit{}, X, labels(y));
  EXPECT_GT(std::abs(q.log_evidence - exact_pair(Probit{}, y, 1.5, 0.8).log_evidence), 1e-2);
}

TEST(Predictions, AtATrainingInputAreTheTrainingLatents) {
  for (const Setting& setting : zoo()) {
    Approximation q = solve(setting);
    const auto p =
        predict(q, setting.covariance, setting.likelihood, setting.table.X, setting.table.X);
    EXPECT_LT(difference(p.latent_mean, q.latent_mean), 1e-12) << setting;
    EXPECT_LT(difference(p.latent_variance, q.latent_variance), 1e-12) << setting;
    EXPECT_TRUE((p.p_clean.array() >= 0.0).all() && (p.p_clean.array() <= 1.0).all()) << setting;
    q.alpha[0] += 1e-6;  // the mutant
    const auto wrong =
        predict(q, setting.covariance, setting.likelihood, setting.table.X, setting.table.X);
    EXPECT_GT(difference(wrong.latent_mean, q.latent_mean), 1e-8) << setting;
  }
}

// Far from all data the prior speaks: p = ½ for a symmetric model.
TEST(Predictions, FarFromTheDataAreThePrior) {
  const Table table = ring(10, 1, 3);
  const Threshold likelihood{0.05, 0.3};
  const Covariance covariance = 2.0 * Covariance(SquaredExponential{});
  const Approximation q = infer(engine, covariance, likelihood, table.X, table.observations);
  const auto p = predict(q, covariance, likelihood, table.X, Matrix::Constant(1, 2, 1e3));
  EXPECT_NEAR(p.latent_mean[0], 0.0, 1e-300);  // exp may stop short of 0
  EXPECT_EQ(p.latent_variance[0], 2.0);
  EXPECT_NEAR(p.p_sign[0], 0.5, 1e-15);
  EXPECT_NEAR(p.p_observed[0], 0.5, 1e-15);
}

// Blocks of test rows do not know of each other.
TEST(Predictions, OfManyRowsAreThoseOfEachRow) {
  const Table table = ring(10, 1, 3);
  const Covariance covariance = 2.0 * Covariance(SquaredExponential{});
  const Approximation q = infer(engine, covariance, Probit{}, table.X, table.observations);
  const Matrix X_test = random_matrix(600, 2, 6);
  const auto all = predict(q, covariance, Probit{}, table.X, X_test);
  for (const Index i : {0, 255, 256, 511, 512, 599}) {
    const auto one = predict(q, covariance, Probit{}, table.X, X_test.row(i));
    EXPECT_NEAR(all.latent_mean[i], one.latent_mean[0], 1e-14);
    EXPECT_NEAR(all.p_clean[i], one.p_clean[0], 1e-14);
  }
  EXPECT_EQ(predict(q, covariance, Probit{}, table.X, Matrix(0, 2)).p_sign.size(), 0);
}

}  // namespace
}  // namespace candor
