// SPDX-License-Identifier: MIT
// The variational engine's own laws: its bound, by a dense and literal computation, is stationary in
// every site and lies below the truth.
#include "differences.hpp"
#include "exact_orthant.hpp"
#include "zoo.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cmath>
#include <numbers>

namespace candor {
namespace {

// E[log p(y|f)] under a normal by the trapezium rule, which converges exponentially here.
double expected_log_p(const Likelihood& likelihood, const Observation& row, double mean,
                      double variance) {
  constexpr double step = 0.1;
  double sum = 0.0;
  for (int k = -90; k <= 90; ++k) {
    const double t = k * step;
    const double f = mean + std::sqrt(variance) * t;
    const double log_p =
        std::visit([&](const auto& l) { return l.log_density(row, f).value; }, likelihood);
    sum += step * log_p * std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi);
  }
  return sum;
}

// The bound of q = N(Aν, A), A = (K⁻¹ + T)⁻¹, for the sites of whole rows.
double dense_bound(const Setting& setting, const Sites& sites) {
  const Matrix K = gram_matrix(setting.covariance, setting.table.X);
  const Index n = K.rows();
  const Matrix T = sites.tau.asDiagonal();
  const Eigen::PartialPivLU<Matrix> lu(Matrix::Identity(n, n) + K * T);
  const Matrix A = lu.solve(K);
  const Vector mu = A * sites.nu;
  const double trace = -(T * A).trace(), distance = mu.dot(sites.nu - T * mu);
  double bound = -0.5 * (std::log(lu.determinant()) + trace + distance);
  for (Index i = 0; i < n; ++i) {
    bound += setting.table.observations.weight_of(i) *
             expected_log_p(setting.likelihood, setting.table.observations.row(i), mu[i], A(i, i));
  }
  return bound;
}

Sites sites_of(const Setting& setting, const Approximation& q) {
  const Vector weight = setting.table.observations.weights();
  return {weight.cwiseProduct(q.site_tau), weight.cwiseProduct(q.site_nu)};
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const Setting& setting : zoo()) {
    if (!std::holds_alternative<Variational>(setting.engine)) continue;
    all.push_back(setting);
    all.push_back(setting);
    all.back().table.observations.weight = Vector::LinSpaced(setting.table.X.rows(), 0.3, 2.5);
    all.back().name += ", weighted";
  }
  return all;
}

// The bound where one entry of the sites has moved by so much of its posterior unit.
double moved_bound(const Setting& setting, Sites sites, Vector Sites::*part, Index i, double by) {
  (sites.*part)[i] += by;
  return dense_bound(setting, sites);
}

// 1/A_ii for τ, 1/√A_ii for ν.
struct Units {
  double tau, nu;
};
Units units_of(const Approximation& q, Index i) {
  return {1.0 / q.latent_variance[i], 1.0 / std::sqrt(q.latent_variance[i])};
}

double steepest(const Setting& setting, const Approximation& q) {
  const Sites sites = sites_of(setting, q);
  double worst = 0.0;
  for (Index i = 0; i < q.latent_variance.size(); ++i) {
    const auto slope = [&](Vector Sites::*part, double unit) {
      return std::abs(derivative(
          [&](double step) { return moved_bound(setting, sites, part, i, step * unit); }));
    };
    const auto [tau, nu] = units_of(q, i);
    worst = std::max({worst, slope(&Sites::tau, tau), slope(&Sites::nu, nu)});
  }
  return worst;
}

class VariationalBound : public testing::TestWithParam<Setting> {};

TEST_P(VariationalBound, IsThatOfItsSites) {
  const Approximation q = solve(GetParam());
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_EQ(q.outcome.rung, Rung::ascent);
  // Both sides round sums of some ten terms of size 10.
  EXPECT_NEAR(q.log_evidence, dense_bound(GetParam(), sites_of(GetParam(), q)), 1e-11);
}

// Differences are right to 1e-9 (differences.hpp), the residual is 1e-11.
TEST_P(VariationalBound, IsStationaryInEverySite) {
  EXPECT_LT(steepest(GetParam(), solve(GetParam())), 1e-7);
}

TEST_P(VariationalBound, FallsWhereverASiteMoves) {
  const Approximation q = solve(GetParam());
  const Sites sites = sites_of(GetParam(), q);
  const double top = dense_bound(GetParam(), sites);
  for (Index i = 0; i < q.latent_variance.size(); ++i) {
    const auto [tau, nu] = units_of(q, i);
    for (const double by : {-1e-2, 1e-2}) {
      EXPECT_LT(moved_bound(GetParam(), sites, &Sites::tau, i, by * tau), top) << i;
      EXPECT_LT(moved_bound(GetParam(), sites, &Sites::nu, i, by * nu), top) << i;
    }
  }
}

// The mutant: the sites of EP are near, and not stationary but for Gaussian noise.
TEST_P(VariationalBound, IsNotStationaryAtTheSitesOfEp) {
  if (std::holds_alternative<Gaussian>(GetParam().likelihood)) return;
  Setting by_ep = GetParam();
  by_ep.engine = Ep{};
  const Approximation q = solve(by_ep);
  EXPECT_GT(steepest(GetParam(), q), 1e-4);
  EXPECT_LT(dense_bound(GetParam(), sites_of(GetParam(), q)), solve(GetParam()).log_evidence);
}

TEST_P(VariationalBound, DoesNotDependOnTheStart) {
  const Setting& s = GetParam();
  const auto from = [&](const Sites& start) {
    return infer(s.engine, s.covariance, s.likelihood, s.table.X, s.table.observations, {}, start);
  };
  const Approximation cold = solve(s);
  const Approximation again = from({cold.site_tau, cold.site_nu});
  const Approximation warm = from({0.7 * cold.site_tau, 0.5 * cold.site_nu});
  // Residuals of 1e-11 leave 1e-8 after conditioning.
  EXPECT_LT(difference(again, cold), 1e-8);
  EXPECT_LT(difference(warm, cold), 1e-8);
  EXPECT_EQ(again.outcome.sweeps, 1);  // it was there already
}

INSTANTIATE_TEST_SUITE_P(Zoo, VariationalBound, testing::ValuesIn(settings()));

// The gap is the divergence of q from the posterior.  It is 0.03 to 0.17 here; twice
// the largest would be too much.
TEST(VariationalEvidence, LiesBelowTheTruthAndNotFarBelow) {
  int cases = 0;
  for (const OrthantCase& c : orthant_cases()) {
    const auto by = [&](const Inference& engine) {
      return infer(engine, c.covariance, c.likelihood, c.X, c.observations);
    };
    // The case is read as it was meant; EP elsewhere ended at a tolerance of its own, 1e-8.
    ASSERT_NEAR(by(Ep{}).log_evidence, c.ep_log_evidence, 1e-7);
    const Approximation q = by(Variational{});
    EXPECT_EQ(q.outcome.status, Status::converged);
    EXPECT_LT(q.log_evidence, c.log_evidence)
        << c.X.rows() << " rows, ε = " << c.likelihood.flip_probability;
    EXPECT_GT(q.log_evidence, c.log_evidence - 0.3);
    ++cases;
  }
  EXPECT_EQ(cases, 10);
}

// Labels that alternate say of one latent value, with a deviation of 100 beforehand, that it is near
// 0.  A climb from the prior ended 11 nats lower, where every label is taken for chance.
TEST(VariationalEvidence, IsNotThatOfChanceUnderAWidePrior) {
  constexpr double width = 100.0, step = 0.01;
  Vector y(20);
  for (Index i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 1.0 : -1.0;
  const Matrix X = Vector::LinSpaced(20, 0.0, 19.0);
  const Threshold likelihood{.flip_probability = 0.05, .noise_variance = 1.0};
  const Approximation q = infer(
      Variational{}, Covariance(Constant{width * width}) + 1e-6 * Covariance(SquaredExponential{}),
      likelihood, X, labels(y));
  EXPECT_EQ(q.outcome.status, Status::converged);
  // By the trapezium rule, which converges exponentially.
  double evidence = 0.0;
  for (int k = -100'000; k <= 100'000; ++k) {
    const double f = step * k;
    const double log_p = 10.0 * (likelihood.log_density({.y = 1.0}, f).value +
                                 likelihood.log_density({.y = -1.0}, f).value);
    evidence += step * std::exp(log_p - 0.5 * f * f / (width * width)) /
                (width * std::sqrt(2.0 * std::numbers::pi));
  }
  EXPECT_LT(q.log_evidence, std::log(evidence));
  EXPECT_GT(q.log_evidence, std::log(evidence) - 0.3);  // as above
}

TEST(VariationalEvidence, DoubtsALabelThatContradictsItsNeighbours) {
  Matrix X(9, 1);
  X << -2.0, -1.6, -1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2;
  Vector y = Vector::Ones(9);
  y[4] = -1.0;
  const Approximation q =
      infer(Variational{}, 4.0 * Covariance(SquaredExponential{}),
            Threshold{.flip_probability = 0.05, .noise_variance = 0.05}, X, labels(y));
  EXPECT_EQ(q.outcome.status, Status::converged);
  Index suspect = 0;
  EXPECT_GT(q.p_wrong.maxCoeff(&suspect), 0.5);
  EXPECT_EQ(suspect, 4);
  EXPECT_LT(q.site_tau[4], 0.0);  // not log-concave: the label pushes q apart
  EXPECT_EQ(q.outcome.negative_sites, (q.site_tau.array() < 0.0).count());
}

}  // namespace
}  // namespace candor
