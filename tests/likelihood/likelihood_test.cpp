// SPDX-License-Identifier: MIT
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace candor {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Likelihood, NamesItsAlternativesAndTheirParameters) {
  EXPECT_EQ(name_of(AsymmetricThreshold{}), "asymmetric_threshold");
  EXPECT_EQ(parameter_names(Threshold{}),
            (std::vector<std::string_view>{"flip_probability", "noise_variance"}));
  EXPECT_TRUE(parameter_names(Logistic{}).empty());
  EXPECT_EQ(parameter_domains(Threshold{}),
            (std::vector{LikelihoodDomain::rate, LikelihoodDomain::positive}));
}

TEST(Likelihood, TakesNewValuesAndChecksThem) {
  const Likelihood changed = with_parameter_values(Threshold{}, (Vector(2) << 0.1, 3.0).finished());
  EXPECT_EQ(changed, Likelihood(Threshold{.flip_probability = 0.1, .noise_variance = 3.0}));
  EXPECT_EQ(refusal([] { std::ignore = with_parameter_values(Threshold{}, Vector::Ones(1)); }),
            "values has size 1 and parameters has size 2: they must have the same size");
  EXPECT_EQ(refusal([] { std::ignore = with_parameter_values(Threshold{}, Vector::Ones(2)); }),
            "flip_probability is 1: it must be at least 0 and less than 0.5");
}

TEST(Likelihood, RefusesParametersOutOfTheirDomain) {
  for (const double rate : {-0.1, 0.5, 1.0, not_a_number})
    EXPECT_THROW(check(Threshold{.flip_probability = rate}), InvalidInput) << rate;
  for (const double variance : {-1.0, infinity, not_a_number}) {
    EXPECT_THROW(check(Threshold{.noise_variance = variance}), InvalidInput) << variance;
    EXPECT_THROW(check(AsymmetricThreshold{.noise_variance = variance}), InvalidInput) << variance;
    EXPECT_THROW(check(Gaussian{.noise_variance = variance}), InvalidInput) << variance;
  }
  EXPECT_THROW(check(AsymmetricThreshold{.flip_positive = -0.1}), InvalidInput);
  EXPECT_THROW(check(AsymmetricThreshold{.flip_negative = 1.0}), InvalidInput);
  EXPECT_THROW(check(Gaussian{.noise_variance = 0.0}), InvalidInput);
  EXPECT_NO_THROW(check(Threshold{.noise_variance = 0.0}));
  EXPECT_NO_THROW(check(AsymmetricThreshold{.flip_positive = 0.9, .flip_negative = 0.05}));
}

TEST(Likelihood, SaysWhichParameterIsWrongAndWhy) {
  EXPECT_EQ(refusal([] { check(Threshold{.flip_probability = 0.75}); }),
            "flip_probability is 0.75: it must be at least 0 and less than 0.5");
  EXPECT_EQ(
      refusal([] { check(AsymmetricThreshold{.flip_positive = 0.5, .flip_negative = 0.75}); }),
      "flip_positive + flip_negative is 1.25: it must be at least 0 and less than 1");
}

TEST(Probit, IsTheThresholdWithoutFlipsAndWithUnitNoise) {
  const Threshold same{.flip_probability = 0.0, .noise_variance = 1.0};
  const Observation row{.y = -1.0};
  for (const double mean : {-40.0, -1.0, 0.0, 3.0}) {
    const Tilted a = Probit{}.tilted(row, {mean, 2.0});
    const Tilted b = same.tilted(row, {mean, 2.0});
    EXPECT_EQ(a.log_Z, b.log_Z);
    EXPECT_EQ(a.site.tau, b.site.tau);
    EXPECT_EQ(a.site.nu, b.site.nu);
  }
}

TEST(AsymmetricThreshold, TellsTheTrueSharesFromTheRecordedOnes) {
  const AsymmetricThreshold likelihood{.flip_positive = 0.3, .flip_negative = 0.05};
  for (const double truly : {0.0, 0.2, 0.5, 1.0}) {
    const double recorded = truly * 0.7 + (1.0 - truly) * 0.05;
    const double rounding = 1e-15;
    EXPECT_NEAR(likelihood.truly_positive(recorded), truly, rounding);
  }
  // Fewer than ε₋ of them: there cannot be less than none.
  EXPECT_EQ(likelihood.truly_positive(0.0), 0.0);
  EXPECT_EQ(likelihood.truly_positive(1.0), 1.0);
  // Coin flips, which tell nothing: as they were recorded.
  const AsymmetricThreshold coins{.flip_positive = 0.5, .flip_negative = 0.5};
  EXPECT_EQ(coins.truly_positive(0.3), 0.3);
}

TEST(AsymmetricThreshold, EqualsTheThresholdWhenItsRatesAreEqual) {
  const AsymmetricThreshold a{.flip_positive = 0.1, .flip_negative = 0.1, .noise_variance = 0.5};
  const Threshold b{.flip_probability = 0.1, .noise_variance = 0.5};
  const Moments cavity{-1.3, 0.7};
  for (const double y : {-1.0, 1.0}) {
    EXPECT_EQ(a.tilted({y}, cavity).site.tau, b.tilted({y}, cavity).site.tau);
    EXPECT_EQ(a.p_wrong({y}, cavity), b.p_wrong({y}, cavity));
    // A common rate moves both: the derivatives add up.
    EXPECT_DOUBLE_EQ(a.log_Z_gradient({y}, cavity).head(2).sum(), b.log_Z_gradient({y}, cavity)[0]);
  }
}

TEST(Threshold, SitePrecisionIsNegativeWhereTheLabelIsContradicted) {
  const Threshold robust{.flip_probability = 0.05, .noise_variance = 0.1};
  const Tilted contradicted = robust.tilted({.y = 1.0}, {-4.0, 1.0});
  EXPECT_LT(contradicted.site.tau, 0.0);
  EXPECT_GT(contradicted.moments.variance, 1.0);
  EXPECT_GT(robust.p_wrong({.y = 1.0}, {-4.0, 1.0}), 0.99);
}

TEST(Threshold, TrustsARowWhoseKnownRateIsZero) {
  const Threshold robust{.flip_probability = 0.3, .noise_variance = 0.5};
  const Threshold regular{.flip_probability = 0.0, .noise_variance = 0.5};
  const Observation trusted{.y = -1.0, .known_flip_rate = 0.0};
  const Moments cavity{2.0, 1.0};
  EXPECT_EQ(robust.tilted(trusted, cavity).log_Z, regular.tilted({.y = -1.0}, cavity).log_Z);
  EXPECT_EQ(robust.p_wrong(trusted, cavity), 0.0);
  EXPECT_EQ(robust.log_Z_gradient(trusted, cavity)[0], 0.0);
}

// The papers' form: noise in the covariance and a step likelihood have the same log Z.
TEST(Threshold, StepOnTheNoisyLatentHasTheSameEvidence) {
  const Threshold soft{.flip_probability = 0.1, .noise_variance = 0.75};
  const Threshold step{.flip_probability = 0.1, .noise_variance = 0.0};
  for (const double mean : {-6.0, -0.2, 1.0})
    EXPECT_DOUBLE_EQ(soft.tilted({.y = 1.0}, {mean, 0.25}).log_Z,
                     step.tilted({.y = 1.0}, {mean, 1.0}).log_Z);
}

TEST(Threshold, StepHasTheLimitsAtZeroVariance) {
  const Threshold step{.flip_probability = 0.1, .noise_variance = 0.0};
  EXPECT_EQ(step.predict({2.0, 0.0}).sign, 1.0);
  EXPECT_DOUBLE_EQ(step.predict({2.0, 0.0}).observed, 0.9);
  EXPECT_EQ(step.predict({-2.0, 0.0}).clean, 0.0);
  EXPECT_EQ(step.predict({0.0, 0.0}).clean, 0.5);
  EXPECT_DOUBLE_EQ(step.log_density({.y = 1.0}, -3.0).value, std::log(0.1));
}

TEST(Threshold, IsLogConcaveOnlyWithoutFlips) {
  EXPECT_TRUE(Threshold{}.is_log_concave());
  EXPECT_FALSE((Threshold{.flip_probability = 1e-9}).is_log_concave());
  EXPECT_FALSE((AsymmetricThreshold{.flip_negative = 0.1}).is_log_concave());
  EXPECT_TRUE(Probit{}.is_log_concave() && Logistic{}.is_log_concave());
}

TEST(Gaussian, SiteIsTheLikelihoodItself) {
  const Gaussian likelihood{.noise_variance = 0.25};
  for (const double mean : {-1e6, 0.0, 3.0}) {
    const Tilted tilted = likelihood.tilted({.y = 1.5}, {mean, 7.0});
    EXPECT_EQ(tilted.site.tau, 4.0);
    EXPECT_EQ(tilted.site.nu, 6.0);
  }
}

TEST(Logistic, DensityIsStableHoweverFar) {
  for (const double f : {1e300, 1e8, 800.0}) {
    EXPECT_EQ(Logistic{}.log_density({.y = 1.0}, -f).value, -f);
    EXPECT_EQ(Logistic{}.log_density({.y = 1.0}, -f).d1, 1.0);
    EXPECT_EQ(Logistic{}.log_density({.y = -1.0}, -f).value, 0.0);
    EXPECT_EQ(Logistic{}.log_density({.y = -1.0}, f).d3, 0.0);
  }
}

TEST(Logistic, ExpectationHasItsLimits) {
  EXPECT_EQ(expected_logistic({1.25, 0.0}), logistic(1.25));
  EXPECT_EQ(expected_logistic({1.25, 1e-300}), logistic(1.25));
  EXPECT_NEAR(expected_logistic({1.25, 1e-20}), logistic(1.25), 1e-15);
  EXPECT_NEAR(expected_logistic({0.0, 1e12}), 0.5, 1e-15);
  // Φ(m/√v) up to the sigmoid's own width: π²/6 m φ(m/√v)/v^{3/2} ≈ 2e-13.
  EXPECT_NEAR(expected_logistic({1e6, 1e12}), 0.8413447460685429, 1e-12);
}

// Opposite labels exhaust the probability: 1 = Z(+1) + Z(-1) ties the two tails together.
TEST(Logistic, ProbabilitiesOfBothLabelsAddUpToOne) {
  for (const double mean : {-900.0, -7.0, 0.1, 2.0, 50.0})
    for (const double variance : {1e-8, 0.3, 40.0, 1e5}) {
      const double positive = std::exp(Logistic{}.tilted({.y = 1.0}, {mean, variance}).log_Z);
      const double negative = std::exp(Logistic{}.tilted({.y = -1.0}, {mean, variance}).log_Z);
      EXPECT_NEAR(positive + negative, 1.0, 1e-14) << mean << " " << variance;
    }
}

}  // namespace
}  // namespace candor
