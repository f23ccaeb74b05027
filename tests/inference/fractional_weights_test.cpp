// SPDX-License-Identifier: MIT
// Rows that count for less than one: their factor is p(y|f)^w, with one site.
#include "zoo.hpp"

#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>
#include <numbers>
#include <random>

namespace candor {
namespace {

const Ep tight{.tolerance = 1e-11, .max_sweeps = 500};

Vector uniform(Index n, double low, double high, unsigned seed) {
  std::mt19937 engine(seed);
  Vector values(n);
  for (double& value : values)
    value = low + (high - low) * (static_cast<double>(engine()) + 0.5) / 4294967296.0;
  return values;
}

double log_density(const Likelihood& likelihood, double y, double f) {
  return std::visit([&](const auto& l) { return l.log_density({.y = y}, f).value; }, likelihood);
}

// 1e-6 below 1, what a row says changes by about 1e-6 of itself; the fixed points are good to
// 1e-11, and nothing here is larger than 10.
TEST(FractionalWeights, JoinWholeOnesWithoutAJump) {
  for (Setting setting : ep_zoo()) {
    Approximation at_one = solve(setting);
    const bool has_zero_rate = (parameter_values(setting.likelihood).array() == 0.0).any();
    const auto jump = [&](double below) {
      setting.table.observations.weight = Vector::Constant(setting.table.X.rows(), 1.0 - below);
      const Approximation q = solve(setting);
      // ε^w has no derivative at ε = 0.
      if (has_zero_rate) at_one.likelihood_gradient = q.likelihood_gradient;
      return difference(q, at_one);
    };
    EXPECT_LT(jump(1e-12), 1e-9) << setting;
    EXPECT_LT(jump(1e-6), 1e-4) << setting;
    EXPECT_GT(jump(1e-2), 1e-4) << setting;  // the mutant: a weight that does nothing
  }
}

struct Exact {
  double log_evidence, mean, variance;
};

// ∫ p(y|f)^w N(f; 0, k) df and its moments by the trapezium rule on a smooth integrand.
Exact exact_single(const Likelihood& likelihood, double y, double w, double k) {
  double Z = 0.0, first = 0.0, second = 0.0;
  constexpr double step = 0.004;
  for (int i = -3500; i <= 3500; ++i) {
    const double x = i * step, f = std::sqrt(k) * x;
    const double mass = step * std::exp(w * log_density(likelihood, y, f) - 0.5 * x * x) /
                        std::sqrt(2.0 * std::numbers::pi);
    Z += mass, first += mass * f, second += mass * f * f;
  }
  return {std::log(Z), first / Z, second / Z - first / Z * (first / Z)};
}

// With one site EP is exact; both sides are right to their rounding and the residual of 1e-11.
TEST(FractionalWeights, OfASingleRowGiveTheExactAnswer) {
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const double w : {1e-6, 0.05, 0.5, 0.95}) {
      const Observations row{.y = Vector::Constant(1, -1.0), .weight = Vector::Constant(1, w)};
      const Approximation q =
          infer(tight, 2.5 * Covariance(SquaredExponential{}), likelihood, Matrix::Zero(1, 1), row);
      const Exact exact = exact_single(likelihood, -1.0, w, 2.5);
      EXPECT_NEAR(q.log_evidence, exact.log_evidence, 1e-11) << name_of(likelihood) << w;
      EXPECT_NEAR(q.latent_mean[0], exact.mean, 1e-10) << name_of(likelihood) << w;
      EXPECT_NEAR(q.latent_variance[0], exact.variance, 1e-10) << name_of(likelihood) << w;
    }
  }
}

// log ∫ p(y₀|f₀)^w₀ p(y₁|f₁)^w₁ N(f; 0, k [1 ρ; ρ 1]) df in whitened coordinates.
double exact_pair(const Likelihood& likelihood, const Vector& y, const Vector& w, double k,
                  double rho) {
  double Z = 0.0;
  constexpr double step = 0.06;
  for (int i = -170; i <= 170; ++i) {
    for (int j = -170; j <= 170; ++j) {
      const double a = i * step, b = j * step;
      const double f0 = std::sqrt(k) * a;
      const double f1 = std::sqrt(k) * (rho * a + std::sqrt(1.0 - rho * rho) * b);
      Z += std::exp(w[0] * log_density(likelihood, y[0], f0) +
                    w[1] * log_density(likelihood, y[1], f1) - 0.5 * (a * a + b * b));
    }
  }
  return std::log(Z * step * step / (2.0 * std::numbers::pi));
}

// EP's own error on two rows, with the budget of whole weights: p^w is nearer to a Gaussian than p.
TEST(FractionalWeights, OfTwoRowsMissTheExactEvidenceByNoMoreThanTheBudget) {
  Matrix X(2, 1);
  X << 0.0, std::sqrt(-2.0 * std::log(0.8));
  const Vector w = (Vector(2) << 0.7, 0.2).finished();
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const double second : {-1.0, 1.0}) {
      const Vector y = (Vector(2) << 1.0, second).finished();
      const Approximation q = infer(tight, 1.5 * Covariance(SquaredExponential{}), likelihood, X,
                                    {.y = y, .weight = w});
      const double exact = exact_pair(likelihood, y, w, 1.5, 0.8);
      EXPECT_NEAR(q.log_evidence, exact, 1e-2) << name_of(likelihood) << second;
    }
  }
}

// N(y; f, v)^w is N(y; f, v/w) × √(2πv/w) (2πv)^(-w/2): regression, to the accuracy of its solves.
TEST(FractionalWeights, OfGaussianNoiseAreRegressionWithMoreNoise) {
  const Table table = ring(12, 1, 11);
  const Vector w = uniform(12, 0.01, 1.0, 5), y = table.observations.y.array() + 0.3;
  const Covariance covariance = 1.5 * Covariance(SquaredExponential{});
  const double v = 0.4;
  const Approximation q = infer(tight, covariance, Gaussian{v}, table.X, {.y = y, .weight = w});
  const Matrix K = gram_matrix(covariance, table.X);
  const Vector noise = v * w.cwiseInverse();
  const Eigen::LLT<Matrix> chol(K + Matrix(noise.asDiagonal()));
  const Vector alpha = chol.solve(y);
  const double two_pi_v = 2.0 * std::numbers::pi * v;
  const double log_normal = -0.5 * y.dot(alpha) - chol.matrixLLT().diagonal().array().log().sum() -
                            6.0 * std::log(2.0 * std::numbers::pi);
  const double constants = 0.5 * ((1.0 - w.array()) * std::log(two_pi_v) - w.array().log()).sum();
  EXPECT_NEAR(q.log_evidence, log_normal + constants, 1e-11);
  EXPECT_LT(difference(q.latent_mean, K * alpha), 1e-11);
  EXPECT_LT(difference(q.latent_variance, (K - K * chol.solve(K)).diagonal()), 1e-11);
}

Table without_row(const Table& table, Index left_out) {
  std::vector<Index> others;
  for (Index i = 0; i < table.X.rows(); ++i)
    if (i != left_out) others.push_back(i);
  return rows_of(table, others);
}

// The whole row is left out, however little it counts: exact where EP is.
TEST(FractionalWeights, AreLeftOutAsAWhole) {
  Table table = ring(12, 1, 11);
  table.observations.weight = uniform(12, 0.01, 1.0, 6);
  const Covariance covariance = 1.5 * Covariance(SquaredExponential{});
  const Gaussian likelihood{0.4};
  const Approximation q = infer(tight, covariance, likelihood, table.X, table.observations);
  for (const Index i : {0, 5, 11}) {
    const Table rest = without_row(table, i);
    const Approximation r = infer(tight, covariance, likelihood, rest.X, rest.observations);
    const Prediction p = predict(r, covariance, likelihood, rest.X, table.X.row(i));
    EXPECT_NEAR(q.cavity_mean[i], p.latent_mean[0], 1e-10);
    EXPECT_NEAR(q.cavity_variance[i], p.latent_variance[0], 1e-10);
    // One label, or one target, of weight 1.
    const double log_loo =
        likelihood.tilted({table.observations.y[i]}, {p.latent_mean[0], p.latent_variance[0]})
            .log_Z;
    EXPECT_NEAR(q.log_loo[i], log_loo, 1e-10);
  }
}

// Its site is 1e-6 of one that moves the others by at most about 1.
TEST(FractionalWeights, NearZeroLeaveTheOthersAlone) {
  for (Setting setting : ep_zoo()) {
    const Index n = setting.table.X.rows(), i = 2;
    setting.table.observations.weight = Vector::Ones(n);
    setting.table.observations.weight[i] = 1e-6;
    const Approximation q = solve(setting);
    EXPECT_EQ(q.outcome.status, Status::converged) << setting;
    setting.table = without_row(setting.table, i);
    const Approximation rest = solve(setting);
    EXPECT_NEAR(q.log_evidence, rest.log_evidence, 1e-5) << setting;
    std::vector<Index> others;
    for (Index k = 0; k < n; ++k)
      if (k != i) others.push_back(k);
    EXPECT_LT(difference(q.latent_mean(others), rest.latent_mean), 1e-5) << setting;
    EXPECT_LT(difference(q.latent_variance(others), rest.latent_variance), 1e-5) << setting;
    EXPECT_TRUE(q.site_tau.allFinite() && q.p_wrong.allFinite() && q.log_loo.allFinite())
        << setting;
  }
}

TEST(FractionalWeights, OnRandomTablesConverge) {
  const Covariance covariance =
      3.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.6)});
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    Table table = ring(60, 6, seed);
    table.observations.weight = uniform(60, 0.01, 3.0, seed);
    for (const Likelihood& likelihood : zoo_likelihoods()) {
      const Approximation q = infer(Ep{}, covariance, likelihood, table.X, table.observations);
      EXPECT_EQ(q.outcome.status, Status::converged) << name_of(likelihood) << ", seed " << seed;
      EXPECT_LE(q.outcome.residual, 1e-8) << name_of(likelihood) << ", seed " << seed;
      EXPECT_EQ(q.outcome.rung, Rung::parallel) << name_of(likelihood) << ", seed " << seed;
    }
  }
}

// A step much steeper than the cavities are wide, and none at all: the same answer.
TEST(FractionalWeights, OnASteepStepTendToThoseOnAPureOne) {
  Table table = ring(14, 2, 8);
  table.observations.weight = uniform(14, 0.05, 1.0, 9);
  const Covariance covariance = 2.0 * Covariance(SquaredExponential{}) + Noise{.variance = 0.1};
  const auto solved = [&](double noise_variance) {
    return infer(Ep{}, covariance, Threshold{0.05, noise_variance}, table.X, table.observations);
  };
  const Approximation pure = solved(0.0);
  EXPECT_EQ(pure.outcome.status, Status::converged);
  // The step to a power moves by about √v₂.
  EXPECT_LT(difference(solved(1e-16).latent_mean, pure.latent_mean), 1e-6);
  EXPECT_LT(difference(solved(1e-16).log_evidence, pure.log_evidence), 1e-6);
}

}  // namespace
}  // namespace candor
