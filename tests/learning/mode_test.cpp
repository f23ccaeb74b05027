// SPDX-License-Identifier: MIT
// The curvature at the mode against differences of values, and the integrated evidence against
// quadrature.
#include "ring.hpp"

#include <candor/learning/mode.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor::testing_support {
namespace {

Covariance squared_exponential() {
  return 4.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.7)});
}

// F at a point, to more digits than the search asks for.
double value_at(const TrainingSet& data, const Learned& learned, const Theta& theta) {
  const Model model = learned.coordinates.model_at(theta);
  return infer(Ep{}, model.covariance, model.likelihood, data.X, data.observations, Threads{1})
             .log_evidence +
         learned.prior.at(theta).log_density;
}

class ModeOnARing : public testing::Test {
 protected:
  const Ring ring = draw_ring(60, 0.1, 3);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};

  double value_at(const Learned& learned, const Theta& theta) const {
    return testing_support::value_at(data, learned, theta);
  }
};

TEST_F(ModeOnARing, HasThePrecisionOfSecondDifferencesOfValues) {
  const Learned learned =
      learn({squared_exponential(), Threshold{.flip_probability = 0.05}, Ep{}}, data);
  const Mode mode = mode_of(learned, data);
  ASSERT_EQ(mode.smooth.size(), 2U);
  ASSERT_EQ(mode.rates.size(), 1U);
  EXPECT_EQ(mode.raised, 0);
  const double h = 0.05;
  for (Index i = 0; i < 2; ++i) {
    Theta up = learned.theta, down = learned.theta;
    up.value[mode.smooth[static_cast<std::size_t>(i)]] += h;
    down.value[mode.smooth[static_cast<std::size_t>(i)]] -= h;
    const double second =
        (value_at(learned, up) - 2.0 * value_at(learned, learned.theta) + value_at(learned, down)) /
        (h * h);
    // One is a difference to one side over 0.03, where the third derivative shows in per cents, the
    // other one over 0.1, where the fourth does.
    EXPECT_NEAR(mode.precision(i, i), -second, 0.05 * std::abs(second) + 0.02) << i;
  }
}

TEST(Mode, IntegratesOneHyperparameterToATenthOfANat) {
  const Ring ring = draw_ring(200, 0.1, 3);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  Learning options;
  options.choice.held = {"covariance.variance"};
  const Learned learned = learn({squared_exponential(), Probit{}, Ep{}}, data, options);
  const Mode mode = mode_of(learned, data);
  ASSERT_EQ(learned.theta.size(), 1);
  double sum = 0.0;
  const double step = 0.1;
  for (double move = -4.0; move <= 4.0; move += step) {
    const Theta theta{learned.theta.value.array() + move};
    sum += step * std::exp(value_at(data, learned, theta) - learned.value());
  }
  EXPECT_NEAR(mode.log_volume, std::log(sum), 0.1);  // the integrand leans a little
}

TEST_F(ModeOnARing, MovesTheOthersAlongTheRidge) {
  const Learned learned =
      learn({squared_exponential(), Threshold{.flip_probability = 0.05}, Ep{}}, data);
  const Mode mode = mode_of(learned, data);
  const double move = 0.6;
  Theta held = learned.theta;
  held.value[mode.rates[0]] += move;
  const double straight = value_at(learned, held);
  const double ridge = value_at(learned, mode.along(learned.theta, 0, move));
  EXPECT_GE(ridge, straight - 1e-6);
  // The mutant walks the other way, and falls off.
  Mode mutant = mode;
  mutant.slopes *= -1.0;
  EXPECT_LT(value_at(learned, mutant.along(learned.theta, 0, move)), straight);
}

TEST_F(ModeOnARing, OfAModelWithoutLearnedNumbersIsEmpty) {
  Learning options;
  options.choice.held = {"covariance.variance", "covariance.factor.lengthscale[0]",
                         "likelihood.noise_variance"};
  const Learned learned = learn({squared_exponential(), Threshold{}, Ep{}}, data, options);
  const Mode mode = mode_of(learned, data);
  EXPECT_TRUE(mode.smooth.empty());
  EXPECT_EQ(mode.log_volume, 0.0);
}

}  // namespace
}  // namespace candor::testing_support
