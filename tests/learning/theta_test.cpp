// SPDX-License-Identifier: MIT
// Laws of the coordinates: from a model to Theta and back, what is learned, and how far it may go.
#include <candor/covariance/log_parameters.hpp>
#include <candor/learning/theta.hpp>
#include <candor/linalg/errors.hpp>

#include "tests/covariance/zoo.hpp"
#include "tests/inference/zoo.hpp"
#include "tests/likelihood/zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

// Every likelihood on every covariance.
std::vector<Model> models() {
  std::vector<Model> all;
  for (const auto& specimen : testing_support::zoo()) {
    for (const Likelihood& likelihood : candor::testing::zoo()) {
      all.push_back({.covariance = specimen.covariance, .likelihood = likelihood});
    }
  }
  return all;
}

std::vector<std::string> names(const Coordinates& coordinates) {
  std::vector<std::string> all;
  for (const FreeParameter& p : coordinates.parameters()) all.push_back(p.name);
  return all;
}

bool learns(const Coordinates& coordinates, const std::string& name) {
  return std::ranges::count(names(coordinates), name) == 1;
}

// Points inside the box, on its faces and at its corners.
std::vector<Theta> points_of(const ThetaBounds& box, unsigned seed) {
  std::vector<Theta> points{box.lower, box.upper};
  const Matrix shares = 0.5 + 0.2 * random_matrix(box.lower.size(), 5, seed).array();
  for (Index k = 0; k < shares.cols(); ++k) {
    const Vector width = box.upper.value - box.lower.value;
    points.push_back(box.project({box.lower.value + shares.col(k).cwiseProduct(width)}));
  }
  return points;
}

std::string message_of(const Model& model, const ParameterChoice& choice) {
  try {
    const Coordinates coordinates(model, choice);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

const Model robust{
    .covariance = 2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(2)}),
    .likelihood = Threshold{.flip_probability = 0.1, .noise_variance = 0.5}};

// exp(log x) and the logit cost a few roundings; the logarithm of 1 - 2ε at ε = 0.499 three digits.
constexpr double rounding = 1e-12;

TEST(ThetaLaws, TheWayBackFromThetaIsTheModelGiven) {
  for (const Model& model : models()) {
    const Coordinates coordinates(model, {.freed = {}});
    const Model back = coordinates.model_at(coordinates.theta());
    EXPECT_LT(difference(log_parameters(back.covariance), log_parameters(model.covariance)),
              rounding);
    const Vector given = parameter_values(model.likelihood);
    const Vector got = parameter_values(back.likelihood);
    const auto domains = parameter_domains(model.likelihood);
    ASSERT_EQ(got.size(), given.size());
    for (Index i = 0; i < given.size(); ++i) {
      const bool is_rate = domains[static_cast<std::size_t>(i)] == LikelihoodDomain::rate;
      const bool is_free = given[i] > 0.0;
      // Rates outside of what is learned come back as the nearest that is not.
      const double nearest = is_rate && is_free ? std::clamp(given[i], 1e-6, 0.499) : given[i];
      EXPECT_LT(std::abs(got[i] - nearest), rounding * nearest + 1e-300)
          << name_of(model.likelihood);
    }
  }
}

TEST(ThetaLaws, TheWayBackFromAModelIsTheThetaGiven) {
  constexpr unsigned seed = 3;
  for (const Model& model : models()) {
    const Coordinates coordinates(model);
    for (const Theta& theta : points_of(coordinates.bounds(), seed)) {
      const Theta back = coordinates.theta_of(coordinates.model_at(theta));
      EXPECT_LT(difference(back.value, theta.value), 1e-11) << "seed " << seed;
    }
  }
}

TEST(ThetaLaws, EveryPointOfTheBoxIsALegalModel) {
  for (const Model& model : models()) {
    const Coordinates coordinates(model);
    for (const Theta& theta : points_of(coordinates.bounds(), 5)) {
      EXPECT_NO_THROW(check(coordinates.model_at(theta).likelihood));
    }
  }
}

TEST(ThetaMutants, ATakenSquareRootBreaksTheRoundTrip) {
  const Coordinates coordinates(robust);
  Theta wrong = coordinates.theta();
  wrong.value[0] *= 0.5;  // a standard deviation taken for a variance
  EXPECT_GT(difference(log_parameters(coordinates.model_at(wrong).covariance),
                       log_parameters(robust.covariance)),
            0.1);
}

TEST(Theta, KeepsSmoothnessDiscreteColumnsAndTheEngine) {
  const Covariance matern =
      Matern{.smoothness = 0.5, .lengthscale = Vector::Ones(1), .discrete = {1}};
  const Model model{.covariance = matern, .likelihood = Probit{}, .inference = Laplace{}};
  const Coordinates coordinates(model);
  const Model back = coordinates.model_at(coordinates.theta());
  EXPECT_TRUE(back.covariance == model.covariance);
  EXPECT_TRUE(std::holds_alternative<Laplace>(back.inference));
}

TEST(Theta, NamesParametersByTheirPath) {
  EXPECT_EQ(names(Coordinates(robust)),
            (std::vector<std::string>{"covariance.variance", "covariance.factor.lengthscale[0]",
                                      "covariance.factor.lengthscale[1]",
                                      "likelihood.flip_probability"}));
}

TEST(Theta, HoldsTheNoiseWhereTheCovarianceHasAVariance) {
  EXPECT_FALSE(learns(Coordinates(robust), "likelihood.noise_variance"));
  EXPECT_TRUE(learns(Coordinates({.covariance = SquaredExponential{}, .likelihood = Threshold{}}),
                     "likelihood.noise_variance"));
  EXPECT_FALSE(learns(Coordinates({.covariance = SquaredExponential{} + Covariance(Constant{}),
                                   .likelihood = Threshold{}}),
                      "likelihood.noise_variance"));
  // With the only variance held, v₂ is the one number left that sets the amplitude.
  EXPECT_TRUE(
      learns(Coordinates(robust, {.held = {"covariance.variance"}}), "likelihood.noise_variance"));
}

TEST(Theta, LearnsTheNoiseWhereTheCallerFreesIt) {
  const Coordinates coordinates(robust, {.freed = {"likelihood.noise_variance"}});
  EXPECT_TRUE(learns(coordinates, "likelihood.noise_variance"));
  EXPECT_EQ(coordinates.size(), 5);
}

TEST(Theta, HoldsARateOfZeroAndOnlyThatOne) {
  const Model regular{.covariance = Constant{}, .likelihood = Threshold{.flip_probability = 0.0}};
  EXPECT_FALSE(learns(Coordinates(regular), "likelihood.flip_probability"));
  const Model half{.covariance = Constant{},
                   .likelihood = AsymmetricThreshold{.flip_positive = 0.1, .flip_negative = 0.0}};
  EXPECT_TRUE(learns(Coordinates(half), "likelihood.flip_positive"));
  EXPECT_FALSE(learns(Coordinates(half), "likelihood.flip_negative"));
}

TEST(Theta, RefusesToFreeARateOfZero) {
  const Model regular{.covariance = Constant{}, .likelihood = Threshold{.flip_probability = 0.0}};
  const std::string message = message_of(regular, {.freed = {"likelihood.flip_probability"}});
  EXPECT_NE(message.find("likelihood.flip_probability is 0"), std::string::npos) << message;
}

TEST(ThetaBounds, KeepTheRatioWithinAMillionWhereBothAreLearned) {
  for (const double noise : {1e-3, 0.5, 40.0}) {
    Model model = robust;
    model.likelihood = Threshold{.flip_probability = 0.1, .noise_variance = noise};
    const Coordinates coordinates(model, {.freed = {"likelihood.noise_variance"}});
    const ThetaBounds box = coordinates.bounds();
    Theta corner = box.upper;  // amplitude as large, noise as small as they may be
    corner.value[coordinates.size() - 1] = box.lower.value[coordinates.size() - 1];
    const Model extreme = coordinates.model_at(corner);
    EXPECT_NEAR(noise_variance(extreme) / largest_variance(extreme), 1e-6, 1e-12);
    EXPECT_TRUE(coordinates.theta().value == box.project(coordinates.theta()).value);
  }
}

TEST(Theta, NeverTouchesWhatIsHeld) {
  const Model model{.covariance = 0.3 * Covariance(SquaredExponential{}),
                    .likelihood = AsymmetricThreshold{.flip_positive = 0.1, .flip_negative = 0.7}};
  const Coordinates coordinates(model,
                                {.held = {"covariance.variance", "likelihood.flip_negative"}});
  Theta theta = coordinates.theta();
  theta.value.array() += 0.25;
  const Model moved = coordinates.model_at(theta);
  // The variance passes through a logarithm, the rate through nothing.
  EXPECT_NEAR(std::get<Scaled>(moved.covariance.node).variance, 0.3, 1e-15);
  EXPECT_EQ(std::get<AsymmetricThreshold>(moved.likelihood).flip_negative, 0.7);
  EXPECT_GT(std::get<AsymmetricThreshold>(moved.likelihood).flip_positive, 0.1);
}

TEST(Theta, MayBeEmpty) {
  const Model model{.covariance = SquaredExponential{}, .likelihood = Probit{}};
  const Coordinates coordinates(model, {.held = {"covariance.lengthscale[0]"}});
  EXPECT_EQ(coordinates.size(), 0);
  EXPECT_TRUE(coordinates.model_at(coordinates.theta()).covariance == model.covariance);
  EXPECT_EQ(coordinates.bounds().lower.size(), 0);
}

TEST(Theta, IsEmptyWhereNothingIsToBeLearned) {
  const Coordinates coordinates(robust, {.anything = false});
  EXPECT_EQ(coordinates.size(), 0);
  EXPECT_TRUE(coordinates.model_at(coordinates.theta()).covariance == robust.covariance);
}

TEST(Theta, RefusesAnUnknownNameAndListsTheKnownOnes) {
  for (const ParameterChoice& choice : {ParameterChoice{.held = {"covariance.varianse"}},
                                        ParameterChoice{.freed = {"covariance.varianse"}}}) {
    const std::string message = message_of(robust, choice);
    EXPECT_NE(message.find("'covariance.varianse'"), std::string::npos) << message;
    for (const char* known : {"covariance.variance", "covariance.factor.lengthscale[1]",
                              "likelihood.flip_probability", "likelihood.noise_variance"}) {
      EXPECT_NE(message.find(known), std::string::npos) << message;
    }
  }
}

TEST(ThetaBounds, KeepTheRatioOfAmplitudeAndNoiseWithinAMillion) {
  for (const double noise : {1e-3, 0.5, 40.0}) {
    Model model = robust;
    model.likelihood = Threshold{.flip_probability = 0.1, .noise_variance = noise};
    const ThetaBounds box = Coordinates(model).bounds();
    EXPECT_NEAR(std::exp(box.upper.value[0]) / noise, 1e6, 1e-6);
    EXPECT_NEAR(std::exp(box.lower.value[0]) / noise, 1e-6, 1e-18);
  }
  const Coordinates by_noise(robust, {.held = {"covariance.variance"}});
  const Index last = by_noise.size() - 1;
  ASSERT_EQ(names(by_noise).back(), "likelihood.noise_variance");
  EXPECT_NEAR(std::exp(by_noise.bounds().lower.value[last]) / 2.0, 1e-6, 1e-18);
}

TEST(ThetaBounds, KeepRatesBetweenAMillionthAndAHalf) {
  const Coordinates coordinates(robust);
  const ThetaBounds box = coordinates.bounds();
  const auto rate_at = [&](const Theta& theta) {
    return std::get<Threshold>(coordinates.model_at(theta).likelihood).flip_probability;
  };
  EXPECT_NEAR(rate_at(box.lower), 1e-6, 1e-17);
  EXPECT_NEAR(rate_at(box.upper), 0.499, 1e-12);
}

TEST(ThetaBounds, AreOrderedAndProjectToThemselves) {
  for (const Model& model : models()) {
    const Coordinates coordinates(model);
    const ThetaBounds box = coordinates.bounds();
    EXPECT_TRUE((box.lower.value.array() < box.upper.value.array()).all());
    const Vector outside = 3.0 * box.upper.value.cwiseAbs() + box.lower.value.cwiseAbs();
    EXPECT_EQ(box.project({outside}).value, box.upper.value);
    EXPECT_EQ(box.project({-outside}).value, box.lower.value);
    for (const Theta& inside : points_of(box, 7))
      EXPECT_EQ(box.project(inside).value, inside.value);
  }
}

TEST(Rates, StayBetweenZeroAndAHalfForEveryCoordinate) {
  for (const double u : {-700.0, -30.0, -1.0, 0.0, 1.0, 30.0}) {
    EXPECT_GT(rate_of(u), 0.0) << u;
    EXPECT_LE(rate_of(u), 0.5) << u;
  }
  EXPECT_EQ(rate_of(0.0), 0.25);
}

TEST(Rates, AndTheirCoordinatesAreInverse) {
  for (const double rate : {1e-12, 1e-6, 0.01, 0.25, 0.4, 0.499}) {
    EXPECT_NEAR(rate_of(logit_of_rate(rate)), rate, 1e-13 * rate);
  }
}

TEST(Rates, HaveTheSlopeOfTheirDifferences) {
  for (const double u : {-12.0, -2.0, 0.0, 0.7, 5.0}) {
    constexpr double h = 1e-4;  // truncation h² = 1e-8 of the slope, rounding 1e-16/h
    const double slope = (rate_of(u + h) - rate_of(u - h)) / (2.0 * h);
    EXPECT_NEAR(rate_slope(u), slope, 1e-8 * slope + 1e-12) << u;
  }
}

TEST(NoiseVariance, IsTheLikelihoodsOwnOrOne) {
  EXPECT_EQ(noise_variance(robust), 0.5);
  EXPECT_EQ(noise_variance({.likelihood = Probit{}}), 1.0);
  EXPECT_EQ(noise_variance({.likelihood = Threshold{.noise_variance = 0.0}}), 1.0);
}

TEST(Theta, RefusesAModelOfAnotherStructureAndAThetaOfAnotherSize) {
  const Coordinates coordinates(robust);
  const Model other{.covariance = Constant{}, .likelihood = Probit{}};
  EXPECT_THROW((void)coordinates.theta_of(other), InvalidInput);
  EXPECT_THROW((void)coordinates.model_at({Vector::Zero(1)}), InvalidInput);
}

}  // namespace
}  // namespace candor
