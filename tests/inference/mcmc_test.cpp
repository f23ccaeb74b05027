// SPDX-License-Identifier: MIT
// Chains against truth: quadrature for one and two rows under every likelihood, the closed form of
// Gaussian noise, and the laws of a sampler.  Seeds are fixed, so that nothing here is a matter of
// luck once it passes; bounds are four of the sampler's own standard errors, which tests them too.
#include "exact_latents.hpp"
#include "zoo.hpp"

#include <candor/inference/mcmc.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace candor {
namespace {

constexpr double errors_allowed = 4.0;  // 1 in 16 000 by chance
const Covariance covariance = 2.5 * Covariance(SquaredExponential{});

struct Named {
  std::string name;
  Moves moves;
};
std::vector<Named> single_moves() {
  return {{"slice", {.slice = true, .near_slice = false, .gibbs = false}},
          {"near slice", {.slice = false, .near_slice = true, .gibbs = false}},
          {"gibbs", {.slice = false, .near_slice = false, .gibbs = true}},
          {"all", {}}};
}

Matrix pair_at_distance(double distance) { return Vector{{0.0, distance}}; }

// As an approximation would leave them, and no better than roughly right.
Sites rough_sites(Index n) { return {Vector::Constant(n, 0.4), Vector::Constant(n, 0.1)}; }

ExactLatents exact_of(const SamplingProblem& problem) {
  return exact_latents(problem.factors(), problem.prior().factor);
}

// The law: the largest distance of mean, variance and p_wrong from quadrature, in standard errors.
double worst_ratio(const ExactLatents& exact, const PosteriorSample& sample) {
  const auto ratio = [](const Vector& found, const Vector& truth, const Vector& error) {
    // A p_wrong of 0 has no error; 1e-12 of rounding is allowed, in units of the bound.
    const double rounding = 1e-12 / errors_allowed;
    return ((found - truth).array().abs() / (error.array() + rounding)).maxCoeff();
  };
  return std::max({ratio(sample.mean, exact.mean, sample.mean_error),
                   ratio(sample.variance, exact.variance, sample.variance_error),
                   ratio(sample.p_wrong, exact.p_wrong, sample.p_wrong_error)});
}

void expect_exact(const ExactLatents& exact, const PosteriorSample& sample,
                  const std::string& what) {
  EXPECT_LT(worst_ratio(exact, sample), errors_allowed) << what;
  EXPECT_LT(sample.worst_r_hat(), 1.02) << what;
  EXPECT_GT(sample.least_effective(), 250.0) << what;  // otherwise the first bound binds nothing
}

TEST(Chains, HaveTheMomentsOfQuadratureForEveryLikelihoodAndMove) {
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const Index n : {1, 2}) {
      const Matrix X = pair_at_distance(0.7).topRows(n);
      const Observations y = labels(Vector{{1.0, -1.0}}.head(n));
      const SamplingProblem problem(covariance, likelihood, X, y, rough_sites(n));
      const ExactLatents exact = exact_of(problem);
      for (const auto& [name, moves] : single_moves()) {
        if (name == "gibbs" && !problem.gibbs()) continue;
        const auto sample = sample_posterior(
            problem, {.chains = 4, .warmup = 100, .draws = 1200, .seed = 7, .moves = moves});
        expect_exact(exact, sample,
                     std::string(name_of(likelihood)) + ", " + name + ", " + std::to_string(n));
      }
    }
  }
}

TEST(Chains, CountCopiesAndPowersAndTrustedRows) {
  const Threshold likelihood{.flip_probability = 0.1, .noise_variance = 0.3};
  for (const double weight : {3.0, 0.4}) {
    for (const double rate : {rate_not_known, 0.0}) {
      const Observations y{.y = Vector{{1.0, -1.0}},
                           .weight = Vector{{1.0, weight}},
                           .known_flip_rate = Vector{{rate, rate_not_known}}};
      const SamplingProblem problem(covariance, likelihood, pair_at_distance(0.5), y,
                                    rough_sites(2));
      EXPECT_EQ(problem.gibbs().has_value(), weight == 3.0);  // powers of p have no noisy latent
      const auto sample =
          sample_posterior(problem, {.chains = 4, .warmup = 100, .draws = 2000, .seed = 3});
      expect_exact(exact_of(problem), sample, "weight " + std::to_string(weight));
      if (rate == 0.0) {
        EXPECT_EQ(sample.p_wrong[0], 0.0);
      }
    }
  }
}

// The judgement of a row that counts for less than one is what EP means by it: exact for one row.
// A residual of EP's 1e-8 moves p_wrong by a tenth of it.
TEST(Chains, MeanTheSameByPWrongAsEp) {
  const Threshold likelihood{.flip_probability = 0.1, .noise_variance = 0.3};
  const Observations y{.y = Vector::Ones(1), .weight = Vector::Constant(1, 0.4)};
  const Matrix X = Matrix::Zero(1, 1);
  const Approximation q = infer(Ep{}, covariance, likelihood, X, y);
  const SamplingProblem problem(covariance, likelihood, X, y);
  EXPECT_NEAR(exact_latents(problem.factors(), problem.prior().factor).p_wrong[0], q.p_wrong[0],
              1e-9);
}

// N(f; K(K + vI)⁻¹y, K - K(K + vI)⁻¹K) on a table of rows that depend on each other.
TEST(Chains, AreExactForGaussianNoise) {
  const Table table = ring(12, 0, 4);
  const Gaussian likelihood{.noise_variance = 0.4};
  const Approximation exact = infer(Laplace{}, covariance, likelihood, table.X, table.observations);
  const SamplingProblem problem(covariance, likelihood, table.X, table.observations,
                                rough_sites(12));
  const auto sample =
      sample_posterior(problem, {.chains = 4, .warmup = 200, .draws = 2000, .seed = 5});
  const Vector deviation =
      (sample.mean - exact.latent_mean).cwiseQuotient(sample.mean_error).cwiseAbs();
  EXPECT_LT(deviation.maxCoeff(), errors_allowed);
  EXPECT_LT(sample.worst_r_hat(), 1.02);
  EXPECT_GT(sample.least_effective(), 300.0);
  const Vector wider =
      (sample.variance - exact.latent_variance).cwiseQuotient(sample.variance_error).cwiseAbs();
  EXPECT_LT(wider.maxCoeff(), errors_allowed);
}

TEST(Chains, DoNotDependOnTheNumberOfThreads) {
  const Table table = ring(12, 1, 11);
  const Threshold likelihood{.flip_probability = 0.05, .noise_variance = 0.1};
  const auto by = [&](int threads, std::uint64_t seed) {
    const SamplingProblem problem(covariance, likelihood, table.X, table.observations,
                                  rough_sites(12), {threads});
    return sample_posterior(problem, {.chains = 5, .warmup = 20, .draws = 40, .seed = seed});
  };
  const PosteriorSample one = by(1, 9), three = by(3, 9), other = by(1, 10);
  for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(one.draws[c], three.draws[c]);
  EXPECT_EQ(one.p_wrong, three.p_wrong);
  EXPECT_NE(one.draws[0], one.draws[1]);
  EXPECT_NE(one.draws[0], other.draws[0]);
}

// Sites only say where to propose: absurd ones must not change what is sampled.
TEST(Chains, AreRightWhateverTheSites) {
  Sites absurd = Sites::zero(2);
  absurd.tau << 3.0, -0.1;
  absurd.nu << -2.0, 1.0;
  const SamplingProblem problem(covariance, Probit{}, pair_at_distance(0.7),
                                labels(Vector{{1.0, -1.0}}), absurd);
  ASSERT_TRUE(problem.near().has_value());
  const auto sample =
      sample_posterior(problem, {.chains = 4,
                                 .warmup = 500,
                                 .draws = 6000,
                                 .seed = 2,
                                 .moves = {.slice = false, .near_slice = true, .gibbs = false}});
  expect_exact(exact_of(problem), sample, "absurd sites");
}

TEST(Chains, EndWhenTheWatcherSaysNo) {
  const SamplingProblem problem(covariance, Probit{}, pair_at_distance(0.7),
                                labels(Vector{{1.0, -1.0}}));
  int asked = 0;
  const auto sample = sample_posterior(
      problem, {.warmup = 20, .draws = 100, .watcher = [&](const SamplingProgress& progress) {
                  EXPECT_EQ(progress.done, 10 * asked);
                  EXPECT_EQ(progress.total, 120);
                  return ++asked < 5;
                }});
  EXPECT_TRUE(sample.interrupted);
  EXPECT_EQ(asked, 5);
  EXPECT_EQ(sample.draws[0].cols(), 20);
  const auto drawn = sample_posterior(
      problem, {.warmup = 20, .draws = 100, .watcher = [](const SamplingProgress& progress) {
                  return progress.stage != "summing up";
                }});
  EXPECT_TRUE(drawn.interrupted);
  EXPECT_EQ(drawn.draws[0].cols(), 100);
}

TEST(Chains, RefuseWhatTheyCannotDo) {
  const Observations y = labels(Vector{{1.0, -1.0}});
  const Matrix X = pair_at_distance(0.7);
  Observations three = labels(Vector{{0.0, 2.0}});
  three.classes = 3;
  EXPECT_THROW(SamplingProblem(covariance, Probit{}, X, three), InvalidInput);
  EXPECT_THROW(SamplingProblem(covariance, Probit{}, X, labels(Vector::Ones(3))), InvalidInput);
  EXPECT_THROW(SamplingProblem(covariance, Probit{}, X, y, rough_sites(3)), InvalidInput);
  const SamplingProblem problem(covariance, Logistic{}, X, y);
  EXPECT_THROW(static_cast<void>(sample_posterior(problem, {.draws = 3})), InvalidInput);
  EXPECT_THROW(static_cast<void>(sample_posterior(problem, {.chains = 0})), InvalidInput);
  EXPECT_THROW(static_cast<void>(sample_posterior(problem, {.moves = {.slice = false}})),
               InvalidInput);
}

// Without noise or errors the posterior of one row is half of a normal, N(f; 0, s²) on y f > 0:
// mean y s √(2/π), variance s² (1 - 2/π).
TEST(Chains, SampleAStepWithoutNoiseOnceTheyAreOnItsRightSide) {
  const double s2 = 2.5;
  const SamplingProblem problem(covariance,
                                Threshold{.flip_probability = 0.0, .noise_variance = 0.0},
                                Matrix::Zero(1, 1), labels(Vector::Constant(1, -1.0)));
  const auto sample =
      sample_posterior(problem, {.chains = 4, .warmup = 100, .draws = 2000, .seed = 7});
  EXPECT_TRUE(sample.is_possible);
  EXPECT_NEAR(sample.mean[0], -std::sqrt(s2 * 2.0 / std::numbers::pi),
              errors_allowed * sample.mean_error[0]);
  EXPECT_NEAR(sample.variance[0], s2 * (1.0 - 2.0 / std::numbers::pi),
              errors_allowed * sample.variance_error[0]);
  EXPECT_GT(sample.least_effective(), 250.0);
  EXPECT_EQ(sample.p_wrong[0], 0.0);
}

// Two rows at one place whose labels differ and cannot be wrong: K leaves them no room, but for
// what jitter does.
TEST(Chains, SayWhereTheyFoundNothingThatLabelsAllow) {
  Table table = ring(40, 0, 3);
  table.X.row(1) = table.X.row(0);
  table.observations.y[1] = -table.observations.y[0];
  const auto sampled = [&](double flip, const Observations& observations) {
    const SamplingProblem problem(covariance,
                                  Threshold{.flip_probability = flip, .noise_variance = 0.0},
                                  table.X, observations);
    return sample_posterior(problem, {.chains = 2, .warmup = 10, .draws = 50, .seed = 1});
  };
  Observations trusted = table.observations;
  trusted.known_flip_rate = Vector::Zero(40);
  Observations light = table.observations;
  light.weight = Vector::Constant(40, 0.5);
  for (const auto& sample :
       {sampled(0.0, table.observations), sampled(0.05, trusted), sampled(0.0, light)}) {
    EXPECT_FALSE(sample.is_possible);
    EXPECT_EQ(sample.r_hat.minCoeff(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(sample.effective.maxCoeff(), 0.0);
    EXPECT_TRUE(sample.p_wrong.allFinite());
  }
  EXPECT_TRUE(sampled(0.05, table.observations).is_possible);  // any label can be wrong
}

// The prior meets forty labels at once by no chance that could be waited for; a path that crosses
// to the possible side row by row is there soon.
TEST(Chains, FindWhatManyCertainLabelsAllow) {
  const Table table = ring(40, 0, 3);
  const SamplingProblem problem(covariance,
                                Threshold{.flip_probability = 0.0, .noise_variance = 0.0}, table.X,
                                table.observations);
  const auto sample =
      sample_posterior(problem, {.chains = 4, .warmup = 200, .draws = 500, .seed = 1});
  EXPECT_TRUE(sample.is_possible);
  EXPECT_LT(sample.worst_r_hat(), 1.05);
  EXPECT_GT((sample.mean.array() * table.observations.y.array()).minCoeff(), 0.0);
}

// Two rows without noise have orthants in closed form: P(s₁f₁ > 0, s₂f₂ > 0) = ¼ + asin(s₁s₂ρ)/2π.
TEST(Chains, VisitTheSidesOfStepsWithoutNoiseAsOftenAsTheyMust) {
  const double flip = 0.2, distance = 0.5, rho = std::exp(-0.5 * distance * distance);
  const SamplingProblem problem(covariance,
                                Threshold{.flip_probability = flip, .noise_variance = 0.0},
                                pair_at_distance(distance), labels(Vector{{1.0, -1.0}}));
  const double same = 0.25 + std::asin(rho) / (2.0 * std::numbers::pi), other = 0.5 - same;
  const double right = other * (1.0 - flip) * (1.0 - flip), wrong = other * flip * flip;
  const double one_wrong = same * flip * (1.0 - flip);
  const double p_wrong = (one_wrong + wrong) / (right + wrong + 2.0 * one_wrong);
  for (const Moves moves : {Moves{}, Moves{.slice = false, .near_slice = false, .gibbs = true}}) {
    const auto sample = sample_posterior(
        problem, {.chains = 4, .warmup = 100, .draws = 4000, .seed = 2, .moves = moves});
    for (Index i = 0; i < 2; ++i) {
      EXPECT_NEAR(sample.p_wrong[i], p_wrong, errors_allowed * sample.p_wrong_error[i]);
      EXPECT_LT(sample.p_wrong_error[i], 0.01);  // so that the bound above binds
    }
  }
}

// Where v₂ is far below the variance of f, neither slices nor Gibbs sampling alone would mix.
TEST(Chains, MixOnHardSteps) {
  const Table table = ring(60, 3, 11);
  for (const double noise : {1e-2, 1e-6, 0.0}) {
    const SamplingProblem problem(covariance,
                                  Threshold{.flip_probability = 0.05, .noise_variance = noise},
                                  table.X, table.observations);
    const auto sample =
        sample_posterior(problem, {.chains = 4, .warmup = 100, .draws = 500, .seed = 1});
    EXPECT_LT(sample.worst_r_hat(), 1.05) << noise;
    EXPECT_GT(sample.least_effective(), 200.0) << noise;
  }
}

// A mutant: a chain whose labels are tempered is one of another posterior, and the law must see it.
TEST(ChainsOfATemperedLikelihood, AreRefusedByTheSameLaw) {
  const Observations y{.y = Vector{{1.0, 1.0}}};
  const Observations tempered{.y = y.y, .weight = Vector::Constant(2, 0.5)};
  const Matrix X = pair_at_distance(0.7);
  const Threshold likelihood{.flip_probability = 0.05, .noise_variance = 0.3};
  const SamplingProblem problem(covariance, likelihood, X, y);
  const SamplingProblem mutant(covariance, likelihood, X, tempered);
  const auto sample =
      sample_posterior(mutant, {.chains = 4, .warmup = 100, .draws = 2000, .seed = 7});
  EXPECT_LT(worst_ratio(exact_of(mutant), sample), errors_allowed);
  EXPECT_GT(worst_ratio(exact_of(problem), sample), errors_allowed);
}

}  // namespace
}  // namespace candor
