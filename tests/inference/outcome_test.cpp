// SPDX-License-Identifier: MIT
// The outcome says what happened, also when nothing good did.
#include "zoo.hpp"

#include <gtest/gtest.h>

namespace candor {
namespace {

// Strongly contradicting labels under little noise, where plain sweeps need long.
Table hard_table() { return ring(40, 4, 5); }
const Covariance covariance =
    Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)}) +
    Constant{.variance = 1e-8};
const Threshold likelihood{.flip_probability = 0.02, .noise_variance = 0.003};

bool all_finite(const Approximation& q) {
  return std::isfinite(q.log_evidence) && q.site_tau.allFinite() && q.site_nu.allFinite() &&
         q.latent_mean.allFinite() && q.latent_variance.allFinite() && q.cavity_mean.allFinite() &&
         q.cavity_variance.allFinite() && q.log_loo.allFinite() && q.p_wrong.allFinite() &&
         q.alpha.allFinite() && q.likelihood_gradient.allFinite() &&
         std::isfinite(q.outcome.residual);
}

TEST(Outcome, OfAnEngineThatMayNotIterateIsNotConverged) {
  const Table table = hard_table();
  const std::vector<Inference> engines{
      Ep{.max_sweeps = 2, .max_sequential_sweeps = 1, .max_root_finder_rows = 0},
      Ep{.max_sweeps = 1, .max_sequential_sweeps = 0, .max_root_finder_rows = 0},
      SequentialEp{.max_sweeps = 2}, Variational{.max_iterations = 2}};
  for (const Inference& engine : engines) {
    const Approximation q = infer(engine, covariance, likelihood, table.X, table.observations);
    EXPECT_EQ(q.outcome.status, Status::not_converged);
    EXPECT_GT(q.outcome.residual, 1e-8);
    EXPECT_TRUE(all_finite(q));
    EXPECT_TRUE((q.p_wrong.array() >= 0.0).all() && (q.p_wrong.array() <= 1.0).all());
  }
  // One factor finds the mode where the curvature hardly changes on the way: not from so wide a prior.
  const Approximation q = infer(Laplace{.max_iterations = 1}, 1e4 * covariance, Logistic{}, table.X,
                                table.observations);
  EXPECT_EQ(q.outcome.status, Status::not_converged);
  EXPECT_GT(q.outcome.residual, 1e-8);
  EXPECT_TRUE(all_finite(q));
}

TEST(Outcome, OfTheFullLadderIsConvergedOnTheSameProblem) {
  const Table table = hard_table();
  const Approximation q = infer(Ep{}, covariance, likelihood, table.X, table.observations);
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_LE(q.outcome.residual, Ep{}.tolerance);
  EXPECT_EQ(q.outcome.skipped_sites, 0);
}

TEST(Outcome, CountsSweepsAndNegativeSites) {
  const Table table = ring(12, 1, 11);
  const Threshold soft{.flip_probability = 0.1, .noise_variance = 0.05};
  const Approximation q = infer(Ep{}, covariance, soft, table.X, table.observations);
  EXPECT_GT(q.outcome.sweeps, 0);
  EXPECT_EQ(q.outcome.negative_sites, (q.site_tau.array() < 0.0).count());
  EXPECT_EQ(q.outcome.negative_sites, q.posterior.negative_sites());
  const Approximation newton = infer(Laplace{}, covariance, Probit{}, table.X, table.observations);
  EXPECT_EQ(newton.outcome.rung, Rung::newton);
  EXPECT_LT(newton.outcome.sweeps, 15);
}

TEST(Outcome, HasNamesForEveryStatusAndRung) {
  for (const Status status : {Status::converged, Status::not_converged}) {
    EXPECT_FALSE(name_of(status).empty());
  }
  for (const Rung rung : {Rung::parallel, Rung::sequential, Rung::root_finder, Rung::continuation,
                          Rung::newton, Rung::ascent}) {
    EXPECT_FALSE(name_of(rung).empty());
  }
}

// Exploring all rungs can only raise the evidence.
TEST(Outcome, OfExplorationIsNoWorse) {
  const Table table = hard_table();
  const double plain =
      infer(Ep{}, covariance, likelihood, table.X, table.observations).log_evidence;
  const Approximation explored =
      infer(Ep{.explore = true}, covariance, likelihood, table.X, table.observations);
  EXPECT_EQ(explored.outcome.status, Status::converged);
  EXPECT_GE(explored.log_evidence, plain - 1e-7);
}

}  // namespace
}  // namespace candor
