// SPDX-License-Identifier: MIT
// Chains against truth: quadrature for one and two rows under every likelihood, the closed form of
// Gaussian noise, and the laws of a sampler.  Seeds are fixed, so that nothing here is a matter of
// luck once it passes; bounds are four of the sampler's own standard errors, which tests them too.
#include "exact_latents.hpp"
#include "zoo.hpp"

#include <candor/inference/mcmc.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>

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

void expect_exact(const SamplingProblem& problem, const PosteriorSample& sample,
                  const std::string& what) {
  const ExactLatents exact = exact_latents(problem.factors(), problem.prior().factor);
  for (Index i = 0; i < problem.size(); ++i) {
    EXPECT_NEAR(sample.mean[i], exact.mean[i], errors_allowed * sample.mean_error[i]) << what;
    EXPECT_NEAR(sample.p_wrong[i], exact.p_wrong[i],
                errors_allowed * sample.p_wrong_error[i] + 1e-12)
        << what;
    EXPECT_NEAR(sample.variance[i], exact.variance[i], errors_allowed * sample.variance_error[i])
        << what;
    EXPECT_LT(sample.r_hat[i], 1.02) << what;
    // Otherwise the bounds above would bind nothing.
    EXPECT_GT(sample.effective[i], 250.0) << what;
  }
}

TEST(Chains, HaveTheMomentsOfQuadratureForEveryLikelihoodAndMove) {
  for (const Likelihood& likelihood : zoo_likelihoods()) {
    for (const Index n : {1, 2}) {
      const Matrix X = pair_at_distance(0.7).topRows(n);
      const Observations y = labels(Vector{{1.0, -1.0}}.head(n));
      const SamplingProblem problem(covariance, likelihood, X, y, rough_sites(n));
      for (const auto& [name, moves] : single_moves()) {
        if (name == "gibbs" && !problem.gibbs()) continue;
        const auto sample = sample_posterior(
            problem, {.chains = 4, .warmup = 100, .draws = 2000, .seed = 7, .moves = moves});
        expect_exact(problem, sample,
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
      expect_exact(problem, sample, "weight " + std::to_string(weight));
      if (rate == 0.0) {
        EXPECT_EQ(sample.p_wrong[0], 0.0);
      }
    }
  }
}

// The judgement of a row that counts for less than one is what EP means by it: exact for one row.
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
                                 .draws = 8000,
                                 .seed = 2,
                                 .moves = {.slice = false, .near_slice = true, .gibbs = false}});
  expect_exact(problem, sample, "absurd sites");
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

// A mutant: a chain whose labels are tempered is one of another posterior, and expect_exact's bound
// on the mean must see it.
TEST(ChainsOfATemperedLikelihood, AreRefusedByTheSameBound) {
  const Observations y{.y = Vector{{1.0, 1.0}}};
  const Observations tempered{.y = y.y, .weight = Vector::Constant(2, 0.5)};
  const Matrix X = pair_at_distance(0.7);
  const Threshold likelihood{.flip_probability = 0.05, .noise_variance = 0.3};
  const SamplingProblem problem(covariance, likelihood, X, y);
  const SamplingProblem mutant(covariance, likelihood, X, tempered);
  const auto sample =
      sample_posterior(mutant, {.chains = 4, .warmup = 100, .draws = 2000, .seed = 7});
  const ExactLatents exact = exact_latents(problem.factors(), problem.prior().factor);
  EXPECT_GT(std::abs(sample.mean[0] - exact.mean[0]), errors_allowed * sample.mean_error[0]);
}

}  // namespace
}  // namespace candor
