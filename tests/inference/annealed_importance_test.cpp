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
#include <limits>
#include <numbers>
#include <vector>

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
      twice.moves = 2;
      twice.temperatures = 30;
      expect_near(anneal(problem, twice), exact, name + ", two slices");
      expect_near(anneal_back(problem, draws, twice), exact, name + ", two slices back");
      if (!can_anneal_steps(problem)) continue;
      Annealing by_steps = prior;
      by_steps.from = AnnealFrom::prior_by_steps;
      expect_near(anneal(problem, by_steps), exact, name + ", steps raised");
      expect_near(anneal_back(problem, draws, by_steps), exact, name + ", steps lowered");
    }
  }
}

TEST(AnnealedEvidenceOf, ThresholdsIsTheExactOrthantSum) {
  int cases = 0;
  for (const OrthantCase& c : orthant_cases()) {
    const SamplingProblem problem(c.covariance, c.likelihood, c.X, c.observations);
    for (const AnnealFrom from : {AnnealFrom::prior, AnnealFrom::prior_by_steps}) {
      if (from == AnnealFrom::prior_by_steps && !can_anneal_steps(problem)) continue;
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

// Two rows without noise: P(s₁f₁ > 0, s₂f₂ > 0) = ¼ + asin(s₁s₂ρ)/2π, times what each label has
// there.
double log_evidence_of_pair(double rho, const Observations& y, double flip) {
  double sum = 0.0;
  for (const double first : {1.0, -1.0}) {
    for (const double second : {1.0, -1.0}) {
      const Vector f{{first, second}};
      double share = 0.25 + std::asin(first * second * rho) / (2.0 * std::numbers::pi);
      for (Index i = 0; i < 2; ++i) {
        const double known = y.known_flip_rate.size() > 0 ? y.known_flip_rate[i] : rate_not_known;
        const double rate = std::isnan(known) ? flip : known;
        share *= std::pow(f[i] == y.y[i] ? 1.0 - rate : rate, y.weight_of(i));
      }
      sum += share;
    }
  }
  return std::log(sum);
}

TEST(AnnealedEvidenceOf, StepsWithoutNoiseIsAClosedForm) {
  const double flip = 0.05, distance = 0.7, rho = std::exp(-0.5 * distance * distance);
  const Matrix X = Vector{{0.0, distance}};
  const Vector differ{{1.0, -1.0}};
  const std::vector<Observations> cases{
      {.y = differ},
      {.y = differ, .weight = Vector{{0.4, 3.0}}},
      {.y = differ, .weight = Vector{{1.0, 20.0}}},  // steps of 2.9 and 59
      {.y = differ, .known_flip_rate = Vector{{0.0, rate_not_known}}},
      {.y = differ, .known_flip_rate = Vector{{0.0, 0.0}}}};
  for (const Observations& y : cases) {
    const SamplingProblem problem(covariance,
                                  Threshold{.flip_probability = flip, .noise_variance = 0.0}, X, y);
    const double exact = log_evidence_of_pair(rho, y, flip);
    const Annealing by_steps{
        .runs = 400, .temperatures = 100, .from = AnnealFrom::prior_by_steps, .seed = 1};
    expect_near(anneal(problem, by_steps), exact, "there");
    const auto sample =
        sample_posterior(problem, {.chains = 1, .warmup = 50, .draws = 2000, .seed = 1});
    expect_near(anneal_back(problem, thinned(sample, 400), by_steps), exact, "back");
  }
}

// Two rows at one place whose labels differ: one of them is beyond its step, and nothing else
// varies. From steps of 37 on, 1 - exp(-rise) is 1 to rounding.
TEST(AnnealedEvidenceOf, HighStepsLosesNoDigits) {
  const Matrix X = Matrix::Zero(2, 1);
  for (const double weight : {1.0, 12.4, 13.0, 300.0}) {
    const Observations y{.y = Vector{{1.0, -1.0}}, .weight = Vector::Constant(2, weight)};
    const SamplingProblem problem(covariance,
                                  Threshold{.flip_probability = 0.05, .noise_variance = 0.0}, X, y);
    const auto found = anneal(problem, {.runs = 4, .from = AnnealFrom::prior_by_steps});
    EXPECT_NEAR(found.log_evidence, weight * std::log(0.95 * 0.05), 1e-12 * weight * 200);
  }
  const SamplingProblem impossible(covariance,
                                   Threshold{.flip_probability = 0.0, .noise_variance = 0.0}, X,
                                   labels(Vector{{1.0, -1.0}}));
  for (const int temperatures : {1, 200, 30'000}) {
    const auto found = anneal(
        impossible, {.runs = 2, .temperatures = temperatures, .from = AnnealFrom::prior_by_steps});
    EXPECT_EQ(found.log_evidence, -std::numeric_limits<double>::infinity()) << temperatures;
  }
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
  for (const AnnealFrom from : {AnnealFrom::prior, AnnealFrom::prior_by_steps}) {
    const auto by = [&](int threads) {
      const SamplingProblem problem(covariance, Probit{}, table.X, table.observations, std::nullopt,
                                    {threads});
      return anneal(problem, {.runs = 5, .temperatures = 20, .from = from, .seed = 3}).log_weight;
    };
    EXPECT_EQ(by(1), by(3));
  }
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
  // The same of steps: of other labels' rates.
  const Threshold sharp{.flip_probability = 0.05, .noise_variance = 0.0};
  const SamplingProblem other(covariance, sharp, X, y);
  const double rho = std::exp(-0.5 * 0.7 * 0.7);
  const auto steps = anneal(
      other, {.runs = 400, .temperatures = 100, .from = AnnealFrom::prior_by_steps, .seed = 1});
  EXPECT_GT(ratio(steps, log_evidence_of_pair(rho, y, 0.08)), errors_allowed);
}

TEST(AnnealedEvidenceOf, BadOptionsIsRefused) {
  const SamplingProblem problem(covariance, Probit{}, Matrix::Zero(1, 1), labels(Vector::Ones(1)));
  EXPECT_THROW(static_cast<void>(anneal(problem, {.runs = 1})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal(problem, {.temperatures = 0})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal(problem, {.from = AnnealFrom::near})), InvalidInput);
  EXPECT_THROW(static_cast<void>(anneal_back(problem, Matrix::Zero(2, 4), {})), InvalidInput);
  const SamplingProblem soft(covariance, Logistic{}, Matrix::Zero(1, 1), labels(Vector::Ones(1)));
  EXPECT_THROW(static_cast<void>(anneal(soft, {.from = AnnealFrom::prior_by_steps})), InvalidInput);
  int asked = 0;
  const auto stopped =
      anneal(problem, {.watcher = [&](const SamplingProgress&) { return ++asked < 3; }});
  EXPECT_TRUE(stopped.interrupted);
}

}  // namespace
}  // namespace candor
