// SPDX-License-Identifier: MIT
// The rungs of the ladder one by one, on the stored problems that plain EP does not solve.
#include <candor/covariance/gram.hpp>
#include <candor/inference/ep_continuation.hpp>
#include <candor/inference/ep_newton.hpp>
#include <candor/inference/ep_sequential.hpp>
#include <candor/inference/inference.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <optional>
#include <vector>

namespace candor {
namespace {

struct HardCase {
  Matrix X;
  Observations observations;
  Covariance covariance;
  Likelihood likelihood;
  double log_evidence = 0.0;
};

HardCase read(const nlohmann::json& stored) {
  const auto y = stored["y"].get<std::vector<double>>();
  const auto n = static_cast<Index>(y.size());
  HardCase problem;
  problem.X.resize(n, 2);
  problem.observations.y = Eigen::Map<const Vector>(y.data(), n);
  for (Index i = 0; i < n; ++i) {
    const auto& row = stored["X"][static_cast<std::size_t>(i)];
    problem.X.row(i) << row[0].get<double>(), row[1].get<double>();
  }
  const auto& hyp = stored["hyp"];
  const double lengthscale = 1.0 / std::sqrt(hyp["l"][0].get<double>());
  problem.covariance =
      hyp["v0"].get<double>() *
          Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, lengthscale)}) +
      Covariance(Constant{hyp["v1"].get<double>()});
  problem.likelihood = Threshold{.flip_probability = stored["eps"].get<double>(),
                                 .noise_variance = hyp["v2"].get<double>()};
  problem.log_evidence = stored["expected"]["log_evidence"].get<double>();
  return problem;
}

// Case 0 yields to damping; the fixed points of cases 1 and 2 repel every damping.
HardCase hard_case(std::size_t number) {
  const auto file = nlohmann::json::parse(std::ifstream("tests/oracle/ep_hard.json"));
  return read(file["expected"]["cases"][number]);
}

constexpr double tolerance = 1e-9;
constexpr double evidence_accuracy = 1e-6;  // of the stored values

struct Ready {
  explicit Ready(HardCase hard)
      : stored(std::move(hard)), posterior(Gram(stored.covariance, stored.X)) {}
  HardCase stored;
  SitePosterior posterior;
  EpProblem problem{stored.likelihood, stored.observations, posterior};
};

TEST(Ladder, UndampedSequentialEpSkipsSitesAndDoesNotCallThatConvergence) {
  for (const std::size_t number : {1U, 2U}) {
    Ready ready(hard_case(number));
    const EpRun run = sequential_ep(ready.problem, at_prior(ready.problem), 1.0, tolerance, 100);
    EXPECT_FALSE(run.converged);
    EXPECT_EQ(run.state.improper, 0);
    EXPECT_LE(run.best.residual, run.state.residual);
  }
}

TEST(Ladder, ASweepWithASkippedSiteNeverCountsAsConverged) {
  Ready ready(hard_case(1));
  // With a tolerance that every state meets, only the skip can stand in the way.
  bool skipped = false;
  for (int sweeps = 1; sweeps <= 30; ++sweeps) {
    const EpRun run = sequential_ep(ready.problem, at_prior(ready.problem), 1.0, 0.0, sweeps);
    skipped = skipped || run.skipped_sites > 0;
    const EpRun easy = sequential_ep(ready.problem, run.state, 1.0, 1e300, 1);
    EXPECT_EQ(easy.converged, easy.skipped_sites == 0);
  }
  EXPECT_TRUE(skipped);
}

TEST(Ladder, ParallelEpReturnsItsBestState) {
  Ready ready(hard_case(2));
  double best = std::numeric_limits<double>::infinity();
  for (const int sweeps : {2, 4, 8, 16, 32, 64}) {
    const EpRun run = parallel_ep(ready.problem, at_prior(ready.problem), 1e-14, sweeps);
    EXPECT_LE(run.best.residual, best);
    best = run.best.residual;
  }
}

TEST(Ladder, ContinuationInTheLatentNoiseReachesRepellingFixedPoints) {
  for (const std::size_t number : {0U, 1U, 2U}) {
    Ready ready(hard_case(number));
    int sweeps = 0;
    const auto found = continued_ep(ready.problem, Path::latent_noise, tolerance, sweeps);
    ASSERT_TRUE(found.has_value()) << number;
    EXPECT_NEAR(log_evidence(ready.problem, *found), ready.stored.log_evidence, evidence_accuracy);
    EXPECT_GT(sweeps, 0);
  }
}

TEST(Ladder, ContinuationInTheRatesReachesAFixedPointOrSaysNo) {
  for (const Path path : {Path::rates_from_above, Path::rates_from_zero}) {
    Ready ready(hard_case(0));
    int sweeps = 0;
    const auto found = continued_ep(ready.problem, path, tolerance, sweeps);
    EXPECT_TRUE(!found || found->is_fixed_point(tolerance));
    EXPECT_GT(sweeps, 0);
  }
}

// Where Newton's method has a step or two to go; empty where there is no fixed point.
std::optional<EpState> near_a_fixed_point(const EpProblem& problem) {
  int sweeps = 0;
  const auto fixed_point = continued_ep(problem, Path::latent_noise, tolerance, sweeps);
  if (!fixed_point) return std::nullopt;
  Sites nearby = fixed_point->sites;
  nearby.tau.array() *= 1.001;
  return evaluate(problem, nearby);
}

TEST(Ladder, NewtonReturnsToARepellingFixedPointFromNearby) {
  Ready ready(hard_case(1));
  const auto start = near_a_fixed_point(ready.problem);
  ASSERT_TRUE(start.has_value());
  ASSERT_GT(start->residual, 1e-5);
  int sweeps = 0;
  const auto again = newton_ep(ready.problem, *start, tolerance, 10, sweeps);
  ASSERT_TRUE(again.has_value());
  EXPECT_LE(sweeps, 5);  // quadratic: two or three steps
  EXPECT_NEAR(log_evidence(ready.problem, *again), ready.stored.log_evidence, evidence_accuracy);
}

// The step to a fixed point takes all of the way off; asked for more than it can give, none pays,
// and each length costs a sweep.
TEST(Ladder, NewtonsStepIsTakenOnlyWhereItPays) {
  Ready ready(hard_case(1));
  const auto start = near_a_fixed_point(ready.problem);
  ASSERT_TRUE(start.has_value());
  const auto sweeps_of = [&](double fall, bool pays) {
    int spent = 0;
    const auto next = newton_step(ready.problem, *start, {.shortest = 0.25, .fall = fall}, spent);
    EXPECT_EQ(next.has_value(), pays) << fall;
    return spent;
  };
  EXPECT_EQ(sweeps_of(0.1, true), 1);
  // The posterior is that of the last try by now, and has to be set back first.
  EXPECT_EQ(sweeps_of(1.01, false), 4);
}

TEST(Ladder, TellsWhichRungSucceeded) {
  const HardCase easy = hard_case(0), repelling = hard_case(2);
  const auto solve = [](const HardCase& c) {
    return infer(Ep{}, c.covariance, c.likelihood, c.X, c.observations).outcome;
  };
  EXPECT_EQ(solve(easy).status, Status::converged);
  EXPECT_EQ(solve(repelling).status, Status::converged);
  EXPECT_NE(solve(repelling).rung, Rung::sequential);
}

TEST(Ladder, LikelihoodsWithoutAPathHaveNone) {
  Ready ready(hard_case(0));
  ready.stored.likelihood = Probit{};
  int sweeps = 0;
  for (const Path path : {Path::latent_noise, Path::rates_from_above, Path::rates_from_zero}) {
    EXPECT_FALSE(continued_ep(ready.problem, path, tolerance, sweeps).has_value());
  }
  EXPECT_EQ(sweeps, 0);
}

}  // namespace
}  // namespace candor
