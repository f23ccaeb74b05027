// SPDX-License-Identifier: MIT
// Sites guessed from half of the rows: near the fixed point, whatever the order of the rows, and
// never part of the answer.
#include <candor/covariance/gram.hpp>
#include <candor/inference/ep_coarse_start.hpp>
#include <candor/inference/ep_parallel.hpp>
#include <candor/inference/inference.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace candor {
namespace {

struct Problem {
  Matrix X;
  Observations observations;
  Covariance covariance;
  Likelihood likelihood;
};

// A ring with every twentieth label wrong, the classes taking turns row by row.
Problem ring(Index n) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Problem p{Matrix(n, 2),
            {.y = Vector(n)},
            4.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)}),
            Threshold{.flip_probability = 0.05, .noise_variance = 0.1}};
  for (Index i = 0; i < n; ++i) {
    const bool outside = i % 2 == 0;
    do {
      p.X.row(i) << uniform(random), uniform(random);
    } while ((p.X.row(i).squaredNorm() > 0.5) != outside);
    p.observations.y[i] = (outside ? 1.0 : -1.0) * (i % 20 == 7 ? -1.0 : 1.0);
  }
  return p;
}

class CoarseStart : public testing::Test {
 protected:
  Problem p = ring(600);
  SitePosterior posterior{Gram(p.covariance, p.X)};
  EpProblem problem{p.likelihood, p.observations, posterior};
};

TEST_F(CoarseStart, IsNearerThanThePriorAndSavesSweeps) {
  const std::optional<Sites> sites = coarse_start(problem);
  ASSERT_TRUE(sites.has_value());
  const std::optional<EpState> start = evaluate(problem, *sites);
  ASSERT_TRUE(start.has_value());
  constexpr double tolerance = 1e-8;
  constexpr int plenty = 150;
  const EpRun near = parallel_ep(problem, *start, tolerance, plenty);
  const EpRun far = parallel_ep(problem, at_prior(problem), tolerance, plenty);
  ASSERT_TRUE(near.converged);
  ASSERT_TRUE(far.converged);
  EXPECT_LT(near.sweeps, far.sweeps);
  // Two ways to a residual of 1e-8 at one fixed point.
  EXPECT_LT((near.state.mean - far.state.mean).cwiseAbs().maxCoeff(), 1e-7);
}

TEST_F(CoarseStart, SmallTablesHaveNone) {
  for (const Index n : {249, 250}) {
    const Problem small = ring(n);
    SitePosterior few{Gram(small.covariance, small.X)};
    EXPECT_EQ(coarse_start({small.likelihood, small.observations, few}).has_value(), n == 250);
  }
}

// The means that the guessed sites give, as a share of the way from zero sites to the fixed point.
double way_left(const EpProblem& problem, const Sites& guess, const Vector& answer) {
  return (evaluate(problem, guess).value().mean - answer).norm() / answer.norm();
}

// Weights and known rates must follow their rows into the half.  The mutants drop one or the other,
// and end at least a quarter further from the fixed point.
TEST_F(CoarseStart, TakesWeightsAndTrustedRowsAlong) {
  p.observations.weight = Vector::LinSpaced(600, 0.1, 4.0);
  p.observations.known_flip_rate = Vector::Constant(600, rate_not_known);
  p.observations.known_flip_rate.head(300).setZero();
  const Sites right = coarse_start(problem).value();
  const EpRun answer = parallel_ep(problem, evaluate(problem, right).value(), 1e-8, 150);
  ASSERT_TRUE(answer.converged);
  const double left = way_left(problem, right, answer.state.mean);
  Observations unweighted = p.observations, doubted = p.observations;
  unweighted.weight.resize(0);
  doubted.known_flip_rate.resize(0);
  for (const Observations& mutant : {unweighted, doubted}) {
    const Sites guess = coarse_start({p.likelihood, mutant, posterior}).value();
    EXPECT_GT(way_left(problem, guess, answer.state.mean), 1.25 * left);
  }
}

TEST_F(CoarseStart, TheOrderOfRowsDoesNotShow) {
  const Approximation q = infer(Ep{}, p.covariance, p.likelihood, p.X, p.observations);
  std::vector<Index> sorted(600);  // one class after the other
  std::iota(sorted.begin(), sorted.end(), Index{0});
  std::ranges::stable_sort(sorted, {}, [&](Index i) { return p.observations.y[i]; });
  const Approximation r = infer(Ep{}, p.covariance, p.likelihood, Matrix(p.X(sorted, Eigen::all)),
                                {.y = p.observations.y(sorted)});
  ASSERT_EQ(q.outcome.status, Status::converged);
  ASSERT_EQ(r.outcome.status, Status::converged);
  // The same rows are in the half, so that both take the same way, up to rounding.
  EXPECT_EQ(q.outcome.sweeps, r.outcome.sweeps);
  EXPECT_NEAR(q.log_evidence, r.log_evidence, 1e-9 * std::abs(q.log_evidence));
  EXPECT_LT((q.p_wrong(sorted) - r.p_wrong).cwiseAbs().maxCoeff(), 1e-7);
}

}  // namespace
}  // namespace candor
