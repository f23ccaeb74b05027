// SPDX-License-Identifier: MIT
// The posterior of ε against brute-force quadrature, and its intervals against what they claim.
#include "ring.hpp"

#include <candor/learning/rate_posterior.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor::testing_support {
namespace {

const Covariance covariance =
    10.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.7)});

// Nothing but rates is learned, so that the ridge is a straight line and quadrature an oracle.
Learned learn_rates(const Likelihood& start, const TrainingSet& data) {
  Learning options;
  options.choice.held = {"covariance.variance", "covariance.factor.lengthscale[0]",
                         "likelihood.noise_variance"};
  return learn({covariance, start, Ep{}}, data, options);
}

Learned learn_rate(const TrainingSet& data) {
  return learn_rates(Threshold{.flip_probability = 0.05}, data);
}

Learned learn_rates_by_class(const TrainingSet& data) {
  return learn_rates(AsymmetricThreshold{.flip_positive = 0.05, .flip_negative = 0.05}, data);
}

struct OfBoth {
  double log_mass;    // Σ, each rate by itself
  double correction;  // for their prior
};
OfBoth integral_over_both(const Learned& learned, const TrainingSet& data) {
  const Mode mode = mode_of(learned, data);
  const RatePosterior positive = rate_posterior(learned, mode, 0, data);
  const RatePosterior negative = rate_posterior(learned, mode, 1, data);
  return {positive.log_mass + negative.log_mass, log_correction_for_both(positive, negative)};
}

Approximation infer_at(const TrainingSet& data, double rate) {
  return infer(Ep{}, covariance, Threshold{.flip_probability = rate}, data.X, data.observations,
               Threads{1});
}

// Log evidence and prior of a rate, without its normaliser.
double log_height_at(const TrainingSet& data, double rate) {
  return std::log1p(-2.0 * rate) + infer_at(data, rate).log_evidence;
}

TEST(RatePosterior, AgreesWithQuadratureOverTheRate) {
  const Ring ring = draw_ring(80, 0.1, 5);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  double mass = 0.0, first = 0.0;
  Vector p_wrong = Vector::Zero(80);
  const int parts = 250;
  for (int k = 0; k < parts; ++k) {
    const double rate = 0.5 * (k + 0.5) / parts;
    const Approximation q = infer_at(data, rate);
    const double height = std::exp(std::log1p(-2.0 * rate) + q.log_evidence - learned.value());
    mass += 4.0 * height * 0.5 / parts;  // 4(1 - 2ε) on (0, ½)
    first += 4.0 * rate * height * 0.5 / parts;
    p_wrong += 4.0 * height * 0.5 / parts * q.p_wrong;
  }
  EXPECT_TRUE(posterior.complete);
  // Straight lines between nodes where it bends; ε̂ alone would be off by more.
  EXPECT_LT((posterior.p_wrong - p_wrong / mass).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_GT((learned.approximation.p_wrong - p_wrong / mass).cwiseAbs().maxCoeff(), 0.02);
  // Interpolating the log density over steps of 0.4 in logit 2ε errs by less than a hundredth.
  EXPECT_NEAR(posterior.log_mass, std::log(mass), 0.01);
  EXPECT_NEAR(posterior.mean, first / mass, 0.002);
  // Per row; the number of wrong labels lies about ε n.
  const Interval wrong = posterior.wrong_labels();
  EXPECT_LT(wrong.low, posterior.mean * 80.0);
  EXPECT_GT(wrong.high, posterior.mean * 80.0);
}

// Each is walked with the other at its top, and both share a prior: within a tenth of a nat of the
// integral over both, where c of one rate would be 0.7 nats off.
TEST(RatePosterior, OfTwoRatesIsNearQuadratureOverBoth) {
  const Ring ring = draw_ring(80, 0.1, 5);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rates_by_class(data);
  double mass = 0.0;
  const int parts = 28;  // of (0, ½): the midpoint rule errs by less than a hundredth
  for (int j = 0; j < parts; ++j) {
    for (int k = 0; k < parts; ++k) {
      const AsymmetricThreshold at{.flip_positive = 0.5 * (j + 0.5) / parts,
                                   .flip_negative = 0.5 * (k + 0.5) / parts};
      const double log_evidence =
          infer(Ep{}, covariance, at, data.X, data.observations, Threads{1}).log_evidence;
      mass += 8.0 * (1.0 - at.flip_positive - at.flip_negative) * std::pow(0.5 / parts, 2) *
              std::exp(log_evidence - learned.value());
    }
  }
  const OfBoth both = integral_over_both(learned, data);
  EXPECT_NEAR(both.log_mass + both.correction, std::log(mass), 0.1);
}

// Labels that weigh nothing leave the prior, whose integral is 1: a view with two rates must not be
// preferred for having them.
TEST(RatePosterior, OfTwoRatesWithoutDataIsThePrior) {
  Ring ring = draw_ring(40, 0.1, 5);
  ring.observations.weight = Vector::Constant(40, 1e-9);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const OfBoth both = integral_over_both(learn_rates_by_class(data), data);
  // The top is where ε is smallest, and 100 points stand for each density.
  EXPECT_NEAR(both.log_mass + both.correction, 0.0, 0.005);
  EXPECT_NEAR(both.log_mass, std::log(1.125), 0.005);
}

// Two thirds of a class recorded as the other: the top is at ½, where logit 2ε is endless and the
// height hardly changes from step to step.
TEST(RatePosterior, OfARateAtOneHalfAgreesWithQuadrature) {
  const Index n = 240;
  Ring ring = draw_ring(n, 0.0, 7);
  int positive = 0;
  for (double& y : ring.observations.y) {
    if (y > 0.0 && positive++ % 3 > 0) y = -1.0;
  }
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rates_by_class(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  ASSERT_GT(posterior.top, 0.49);
  const double flip_negative = parameter_values(learned.model.likelihood)[1];
  double mass = 0.0, first = 0.0;
  Vector p_wrong = Vector::Zero(n);
  const int parts = 250;
  for (int k = 0; k < parts; ++k) {
    const AsymmetricThreshold at{.flip_positive = 0.5 * (k + 0.5) / parts,
                                 .flip_negative = flip_negative};
    const Approximation q = infer(Ep{}, covariance, at, data.X, data.observations, Threads{1});
    const double height = (1.0 - at.flip_positive - at.flip_negative) *
                          std::exp(q.log_evidence - learned.value()) * 0.5 / parts;
    mass += std::sqrt(8.0) * height;
    first += std::sqrt(8.0) * height * at.flip_positive;
    p_wrong += std::sqrt(8.0) * height * q.p_wrong;
  }
  EXPECT_TRUE(posterior.complete);
  // As of a rate within its bounds: steps of 0.4 in logit 2ε, and straight lines for p_wrong.
  EXPECT_NEAR(posterior.log_mass, std::log(mass), 0.01);
  EXPECT_NEAR(posterior.mean, first / mass, 0.002);
  EXPECT_LT((posterior.p_wrong - p_wrong / mass).cwiseAbs().maxCoeff(), 0.01);
}

TEST(RatePosterior, EquallyLikelyRatesHaveItsMeanAndItsSpread) {
  const Ring ring = draw_ring(80, 0.1, 5);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  const Vector rates = posterior.equally_likely(1000);
  EXPECT_NEAR(rates.mean(), posterior.mean, 1e-3);  // a cell of the fine grid
  const Interval interval = posterior.interval(0.9);
  const auto inside = rates.array() >= interval.low && rates.array() <= interval.high;
  // One end of the interval may be a cell of the grid off, which holds a hundredth.
  EXPECT_NEAR(static_cast<double>(inside.count()) / 1000.0, 0.9, 0.02);
}

TEST(RatePosterior, IsCompleteOnlyWhereLittleMassIsBeyondTheWalk) {
  const Ring ring = draw_ring(80, 0.1, 5);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const Mode mode = mode_of(learned, data);
  const RatePosterior whole = rate_posterior(learned, mode, 0, data);
  int cut_and_complete = 0;
  for (int visits = 0; visits < whole.evaluations; ++visits) {
    int left = visits;
    const RatePosterior part = rate_posterior(learned, mode, 0, data, [&] { return left-- > 0; });
    // At most 5 % are lost on either side.
    if (part.complete) {
      EXPECT_NEAR(part.log_mass, whole.log_mass, 0.1) << visits;
      EXPECT_GE(visits, 3);
      ++cut_and_complete;
    }
  }
  EXPECT_GT(cut_and_complete, 0);
}

TEST(RatePosterior, EndsWithoutAVisitAndStillAgreesWithQuadrature) {
  const Ring ring = draw_ring(300, 0.2, 5);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  EXPECT_LT(posterior.evaluations + 1, posterior.rate.size());  // and the top
  double mass = 0.0, first = 0.0;
  const int parts = 24;
  const double low = 0.06, high = 0.36;  // beyond lies less than 1e-6 of it
  for (int k = 0; k < parts; ++k) {
    const double rate = low + (high - low) * (k + 0.5) / parts;
    const double height = std::exp(log_height_at(data, rate) - learned.value());
    mass += 4.0 * height * (high - low) / parts;
    first += 4.0 * rate * height * (high - low) / parts;
  }
  // The bend at the outermost visit is that of a parabola, which costs a few hundredths.
  EXPECT_NEAR(posterior.log_mass, std::log(mass), 0.03);
  EXPECT_NEAR(posterior.mean, first / mass, 0.002);
}

TEST(RatePosterior, IntervalsHoldWhatTheyClaimAndNest) {
  const Ring ring = draw_ring(80, 0.15, 6);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  const auto mass_of = [&](Interval interval) {
    double inside = 0.0, total = 0.0;
    for (int k = 0; k < 200; ++k) {
      const double rate = 0.5 * (k + 0.5) / 200;
      const double height = std::exp(log_height_at(data, rate) - learned.value());
      total += height;
      inside += rate >= interval.low && rate <= interval.high ? height : 0.0;
    }
    return inside / total;
  };
  const Interval narrow = posterior.interval(0.5), wide = posterior.interval(0.9);
  EXPECT_NEAR(mass_of(narrow), 0.5, 0.03);
  EXPECT_NEAR(mass_of(wide), 0.9, 0.03);
  EXPECT_LE(wide.low, narrow.low);
  EXPECT_GE(wide.high, narrow.high);
  // The ruler can fail: half of an interval does not hold its probability.
  EXPECT_LT(mass_of({wide.low, 0.5 * (wide.low + wide.high)}), 0.85);
}

TEST(RatePosterior, OfCleanLabelsReachesDownToZero) {
  const Ring ring = draw_ring(120, 0.0, 7);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  EXPECT_EQ(posterior.interval().low, 0.0);
  EXPECT_LT(posterior.interval().high, 0.06);
  EXPECT_LT(posterior.wrong_labels().low, 1.0);
}

TEST(RatePosterior, RefusesAProbabilityThatIsNone) {
  const Ring ring = draw_ring(30, 0.1, 8);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Learned learned = learn_rate(data);
  const RatePosterior posterior = rate_posterior(learned, mode_of(learned, data), 0, data);
  EXPECT_THROW(static_cast<void>(posterior.interval(1.5)), InvalidInput);
}

}  // namespace
}  // namespace candor::testing_support
