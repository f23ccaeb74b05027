// SPDX-License-Identifier: MIT
// What the model says about wrong labels.
#include "zoo.hpp"

#include <candor/linalg/normal.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

const Covariance covariance =
    2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.8)});
const Ep engine{.tolerance = 1e-11};

Approximation fit(const Likelihood& likelihood, const Table& table) {
  return infer(engine, covariance, likelihood, table.X, table.observations);
}

TEST(LabelErrors, ATrustedRowIsNeverDoubted) {
  Table table = ring(20, 3, 4);
  const Threshold likelihood{.flip_probability = 0.1, .noise_variance = 0.1};
  const Approximation before = fit(likelihood, table);
  Index doubted = 0;
  before.p_wrong.maxCoeff(&doubted);
  EXPECT_GT(before.p_wrong[doubted], 0.3);  // the mutant: without trust the row is doubted

  table.observations.known_flip_rate = Vector::Constant(20, rate_not_known);
  table.observations.known_flip_rate[doubted] = 0.0;
  const Approximation after = fit(likelihood, table);
  EXPECT_EQ(after.p_wrong[doubted], 0.0);
  EXPECT_GT(after.p_wrong.maxCoeff(), 0.0);
  EXPECT_GT(after.site_tau[doubted], 0.0);  // a log-concave site is never negative
}

TEST(LabelErrors, RowsThatAllStateTheModelsRateChangeNothing) {
  Table table = ring(15, 2, 9);
  const Threshold likelihood{.flip_probability = 0.08, .noise_variance = 0.2};
  const Approximation q = fit(likelihood, table);
  table.observations.known_flip_rate = Vector::Constant(15, 0.08);
  const Threshold another{.flip_probability = 0.3, .noise_variance = 0.2};
  Approximation known = fit(another, table);
  EXPECT_EQ(known.likelihood_gradient[0], 0.0);  // no row listens to the model's rate
  known.likelihood_gradient[0] = q.likelihood_gradient[0];
  EXPECT_LT(difference(known, q), 1e-12);
}

// Largest deviation of a class-dependent model from the symmetric one with ε = 0.07.
double asymmetry(double flip_positive, double flip_negative) {
  const Table table = ring(18, 2, 21);
  Approximation two = fit(AsymmetricThreshold{flip_positive, flip_negative, 0.3}, table);
  const Approximation one = fit(Threshold{0.07, 0.3}, table);
  // The derivative in ε moves both rates at once.
  Vector merged(2);
  merged << two.likelihood_gradient[0] + two.likelihood_gradient[1], two.likelihood_gradient[2];
  two.likelihood_gradient = merged;
  return difference(two, one);
}

TEST(LabelErrors, EqualRatesOfBothClassesAreTheSymmetricModel) {
  EXPECT_LT(asymmetry(0.07, 0.07), 1e-12);
  EXPECT_GT(asymmetry(0.07, 0.071), 1e-5);  // the mutant
}

// Deviation of the mirrored problem, every label swapped, from the one with ε₊ = 0.02, ε₋ = 0.15.
struct MirrorDeviation {
  double log_evidence, latent_mean, p_wrong;
};
MirrorDeviation mirror_deviation(double flip_positive, double flip_negative) {
  Table table = ring(18, 2, 21);
  const Approximation q = fit(AsymmetricThreshold{0.02, 0.15, 0.3}, table);
  table.observations.y *= -1.0;
  const Approximation mirrored = fit(AsymmetricThreshold{flip_positive, flip_negative, 0.3}, table);
  return {difference(mirrored.log_evidence, q.log_evidence),
          difference(mirrored.latent_mean, -q.latent_mean),
          difference(mirrored.p_wrong, q.p_wrong)};
}

TEST(LabelErrors, SwappingLabelsSwapsTheRatesOfTheClasses) {
  const MirrorDeviation swapped = mirror_deviation(0.15, 0.02);
  EXPECT_LT(swapped.log_evidence, 1e-11);  // stationary in the sites, whose residual is 1e-11
  EXPECT_LT(swapped.latent_mean, 1e-8);
  EXPECT_LT(swapped.p_wrong, 1e-8);
  const MirrorDeviation kept = mirror_deviation(0.02, 0.15);  // the mutant
  EXPECT_GT(kept.log_evidence, 1e-4);
  EXPECT_GT(kept.latent_mean, 1e-4);
  EXPECT_GT(kept.p_wrong, 1e-4);
}

// Where the evidence is stationary in ε, by bisection on its derivative.
double stationary_rate(const Table& table, double noise_variance) {
  double low = 1e-4, high = 0.4;
  const auto slope = [&](double rate) {
    return fit(Threshold{rate, noise_variance}, table).likelihood_gradient[0];
  };
  EXPECT_GT(slope(low), 0.0);
  EXPECT_LT(slope(high), 0.0);
  for (int i = 0; i < 45; ++i) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TEST(LabelErrors, TheMeanProbabilityOfAWrongLabelIsTheRateWhereTheEvidenceIsStationary) {
  const Table table = ring(30, 4, 2);
  const double noise_variance = 0.1, rate = stationary_rate(table, noise_variance);
  const Approximation q = fit(Threshold{rate, noise_variance}, table);
  // d log Z/dε = n (mean p_wrong - ε)/(ε (1 - ε)): bisection to 1e-14 leaves the residual of EP.
  EXPECT_NEAR(q.p_wrong.mean(), rate, 1e-8);

  // The mutant: the published update takes the Gaussian q for the posterior and overestimates.
  double published = 0.0;
  for (Index i = 0; i < 30; ++i) {
    const double sd = std::sqrt(q.latent_variance[i] + noise_variance);
    published += normal_cdf(-table.observations.y[i] * q.latent_mean[i] / sd) / 30.0;
  }
  EXPECT_GT(std::abs(published - rate), 1e-3);
}

TEST(LabelErrors, AContradictedLabelHasANegativeSiteAndIsDoubted) {
  Table table{"cluster", Matrix(9, 1), labels(Vector::Ones(9))};
  table.X << -0.4, -0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4;
  table.observations.y[4] = -1.0;
  const Approximation q = fit(Threshold{0.05, 0.02}, table);
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_LT(q.site_tau[4], 0.0);
  EXPECT_GT(q.p_wrong[4], 0.9);
  Vector others = q.p_wrong;
  others[4] = 0.0;
  EXPECT_LT(others.maxCoeff(), 0.05);
  EXPECT_GT(q.latent_mean.minCoeff(), 0.0);  // the wrong label does not turn the posterior
}

}  // namespace
}  // namespace candor
