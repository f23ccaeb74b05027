// SPDX-License-Identifier: MIT
// Annealed evidences against closed forms, exact orthant sums and quadrature.
#include "exact_latents.hpp"
#include "exact_orthant.hpp"
#include "zoo.hpp"

#include <candor/inference/annealed_importance.hpp>
#include <candor/inference/mcmc.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

constexpr double errors_allowed = 4.0;
const Covariance covariance = 2.5 * Covariance(SquaredExponential{});

Matrix thinned(const PosteriorSample& sample, Index count) {
  const Matrix& draws = sample.draws[0];
  Matrix some(draws.rows(), count);
  for (Index k = 0; k < count; ++k) some.col(k) = draws.col((k + 1) * draws.cols() / count - 1);
  return some;
}

// The law: the distance from the truth in standard errors.
double ratio(const AnnealedEvidence& found, double exact) {
  return std::abs(found.log_evidence - exact) / found.standard_error;
}

void expect_near(const AnnealedEvidence& found, double exact, const std::string& what) {
  EXPECT_LT(ratio(found, exact), errors_allowed) << what;
  EXPECT_LT(found.standard_error, 0.15) << what;  // so that the bound above binds
  EXPECT_GT(found.effective_runs, 0.3 * static_cast<double>(found.log_weight.size())) << what;
}

TEST(AnnealedEvidenceOf, OneAndTwoRowsIsThatOfQuadrature) {
  const Matrix X = Vector{{0.0, 0.7}};
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const Index n : {1, 2}) {
      const Observations y = labels(Vector{{1.0, -1.0}}.head(n));
      const Sites rough{Vector::Constant(n, 0.4), Vector::Constant(n, 0.1)};
      const SamplingProblem problem(covariance, likelihood, X.topRows(n), y, rough);
      const double exact = exact_latents(problem.factors(), problem.prior().factor).log_evidence;
      const std::string name(name_of(likelihood));
      const Annealing prior{.runs = 100, .temperatures = 60, .seed = 1};
      Annealing near = prior;
      near.from = AnnealFrom::near;
      expect_near(anneal(problem, prior), exact, name);
      expect_near(anneal(problem, near), exact, name + ", from sites");
      const auto sample = sample_posterior(problem, {.chains = 1, .draws = 2000, .seed = 1});
      const Matrix draws = thinned(sample, 100);
      expect_near(anneal_back(problem, draws, prior), exact, name + ", back");
      expect_near(anneal_back(problem, draws, near), exact, name + ", back to sites");
      Annealing twice = near;
      twice.slices = 2;
      twice.temperatures = 30;
      expect_near(anneal(problem, twice), exact, name + ", two slices");
      expect_near(anneal_back(problem, draws, twice), exact, name + ", two slices back");
      if (!can_anneal_steps(problem)) continue;
      Annealing level = prior;
      level.from = AnnealFrom::level;
      expect_near(anneal(problem, level), exact, name + ", from level");
      expect_near(anneal_back(problem, draws, level), exact, name + ", back to level");
    }
  }
}

TEST(AnnealedEvidenceOf, ThresholdsIsTheExactOrthantSum) {
  int cases = 0;
  for (const OrthantCase& c : orthant_cases()) {
    const SamplingProblem problem(c.covariance, c.likelihood, c.X, c.observations);
    for (const AnnealFrom from : {AnnealFrom::prior, AnnealFrom::level}) {
      if (from == AnnealFrom::level && !can_anneal_steps(problem)) continue;
      expect_near(anneal(problem, {.runs = 200, .temperatures = 100, .from = from, .seed = 1}),
                  c.log_evidence, "case " + std::to_string(cases));
    }
    const auto sample =
        sample_posterior(problem, {.chains = 4, .warmup = 200, .draws = 1500, .seed = 1});
    EXPECT_LT(sample.worst_r_hat(), 1.02);
    EXPECT_GT(sample.least_effective(), 300.0);
    for (Index i = 0; i < problem.size(); ++i) {
      EXPECT_NEAR(sample.p_wrong[i], c.p_wrong[i], errors_allowed * sample.p_wrong_error[i] + 1e-12)
          << "case " << cases << ", row " << i;
    }
    ++cases;
  }
  EXPECT_EQ(cases, 10);
}

TEST(AnnealedEvidenceOf, GaussianNoiseIsTheClosedForm) {
  const Table table = ring(12, 0, 4);
  const Gaussian likelihood{.noise_variance = 0.4};
  const Approximation exact = infer(Laplace{}, covariance, likelihood, table.X, table.observations);
  const SamplingProblem problem(covariance, likelihood, table.X, table.observations,
                                Sites{exact.site_tau, exact.site_nu});
  const auto found = anneal(problem, {.runs = 100, .temperatures = 400, .seed = 1});
  EXPECT_NEAR(found.log_evidence, exact.log_evidence, errors_allowed * found.standard_error);
  EXPECT_LT(found.standard_error, 0.15);
  // Sites that are right leave nothing to anneal, but the constant of the noise: every run agrees,
  // to the rounding of 12 rows' terms in each of 3 steps.
  const auto exactly = anneal(problem, {.runs = 4, .temperatures = 3, .from = AnnealFrom::near});
  EXPECT_NEAR(exactly.log_evidence, exact.log_evidence, 1e-9);
  EXPECT_LT(exactly.standard_error, 1e-9);
}

TEST(AnnealedEvidenceOf, AnyThreadsIsTheSame) {
  const Table table = ring(12, 1, 11);
  const auto by = [&](int threads) {
    const SamplingProblem problem(covariance, Probit{}, table.X, table.observations, std::nullopt,
                                  {threads});
    return anneal(problem, {.runs = 5, .temperatures = 20, .seed = 3}).log_weight;
  };
  EXPECT_EQ(by(1), by(3));
}

// A mutant: the last temperature is not 1.  Tempered labels are those of a weight of 0.8.
TEST(AnnealedEvidenceOf, TheWrongTemperingIsRefusedByTheSameLaw) {
  const Matrix X = Vector{{0.0, 0.7}};
  const Observations y = labels(Vector{{1.0, -1.0}});
  Observations tempered = y;
  tempered.weight = Vector::Constant(2, 0.8);
  const SamplingProblem problem(covariance, Probit{}, X, y),
      mutant(covariance, Probit{}, X, tempered);
  const double exact = exact_latents(problem.factors(), problem.prior().factor).log_evidence;
  const auto found = anneal(mutant, {.runs = 100, .temperatures = 60, .seed = 1});
  EXPECT_GT(ratio(found, exact), errors_allowed);
}

TEST(AnnealedEvidenceOf, BadOptionsIsRefused) {
  const SamplingProblem problem(covariance, Probit{}, Matrix::Zero(1, 1), labels(Vector::Ones(1)));
  EXPECT_THROW(static_cast<void>(anneal(problem, {.runs = 1})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal(problem, {.temperatures = 0})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal(problem, {.from = AnnealFrom::near})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal_back(problem, Matrix::Zero(2, 4), {})), InvalidInput);
  const SamplingProblem soft(covariance, Logistic{}, Matrix::Zero(1, 1), labels(Vector::Ones(1)));
  EXPECT_THROW(static_cast<void>(anneal(soft, {.from = AnnealFrom::level})), InvalidInput);
  int asked = 0;
  const auto stopped =
      anneal(problem, {.watcher = [&](const SamplingProgress&) { return ++asked < 3; }});
  EXPECT_TRUE(stopped.interrupted);
}

}  // namespace
}  // namespace candor
