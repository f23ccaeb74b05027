// SPDX-License-Identifier: MIT
#include "brute_force.hpp"

#include <candor/likelihood/robust_max.hpp>
#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/normal.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace candor {
namespace {

using testing::derivative;

struct Case {
  RobustMax likelihood;
  int y;
  Vector mean, variance;

  double rate() const { return likelihood.flip_probability; }
  ClassTilted tilt() const { return tilted(likelihood, y, rate(), mean, variance); }
};

// Classes 2 to 30, near and contradicted labels, equal and very different variances, no noise.
std::vector<Case> cases() {
  std::vector<Case> all;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const Index C : {2, 3, 5, 10, 30})
    for (const double spread : {0.0, 1.0, 4.0})  // decades of the variances, either way
      for (const double distance : {0.5, 5.0})
        for (const double rate : {0.0, 0.1}) {
          Case c{
              {rate, spread == 1.0 ? 0.0 : 0.3, C}, static_cast<int>(C / 2), Vector(C), Vector(C)};
          for (Index k = 0; k < C; ++k) {
            c.mean[k] = distance * normal(random);
            c.variance[k] = std::pow(10.0, std::clamp(spread * normal(random), -spread, spread));
          }
          all.push_back(c);
        }
  return all;
}

// log P by brute force: a thousand panels and cuts at every feature of the integrand.
double brute_force_p_right(const Case& c) {
  const Vector sd = (c.variance.array() + c.likelihood.noise_variance).sqrt();
  std::vector<double> cuts;
  for (Index k = 0; k < sd.size(); ++k)
    for (const double z : {-12.0, -6.0, -2.0, 0.0, 2.0, 6.0, 12.0})
      cuts.push_back(c.mean[k] + z * sd[k]);
  std::sort(cuts.begin(), cuts.end());
  const auto integrand = [&](double v) {
    double product = normal_pdf((v - c.mean[c.y]) / sd[c.y]) / sd[c.y];
    for (Index k = 0; k < sd.size(); ++k)
      if (k != c.y) product *= normal_cdf((v - c.mean[k]) / sd[k]);
    return product;
  };
  double total = 0.0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i + 1] > cuts[i]) total += testing::integrate_between(integrand, cuts[i], cuts[i + 1]);
  return total;
}

// What the quadrature promises: ten digits of Z, absolutely where Z is near 1.
using Tilt = std::function<ClassTilted(const Case&)>;
::testing::AssertionResult agrees_with_brute_force(const Case& c, const Tilt& tilt) {
  const double P = brute_force_p_right(c);
  const double others = static_cast<double>(c.likelihood.classes - 1);
  const double Z = (1.0 - c.rate()) * P + c.rate() / others * (1.0 - P);
  const double log_Z = tilt(c).log_Z;
  if (std::abs(log_Z - std::log(Z)) <= 1e-10) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "log Z " << log_Z << " for " << std::log(Z) << ", C " << others + 1.0;
}

TEST(RobustMax, AgreesWithBruteForceQuadrature) {
  for (const Case& c : cases())
    EXPECT_TRUE(agrees_with_brute_force(c, [](const Case& at) { return at.tilt(); }));
}

TEST(RobustMax, TheBruteForceLawFindsForgottenNoise) {
  const auto forgets = [](const Case& c) {
    Case noiseless = c;
    noiseless.likelihood.noise_variance = 0.0;
    return noiseless.tilt();
  };
  EXPECT_FALSE(agrees_with_brute_force(cases()[0], forgets));
}

// The quadratures of the C classes are separate, so their sum tests each.
TEST(RobustMax, IsNormalisedOverTheLabels) {
  for (Case c : cases()) {
    double Z = 0.0, P = 0.0;
    for (c.y = 0; c.y < c.likelihood.classes; ++c.y) {
      Z += std::exp(c.tilt().log_Z);
      P += c.tilt().p_right;
    }
    EXPECT_NEAR(Z, 1.0, 1e-11);
    EXPECT_NEAR(P, 1.0, 1e-11);
    EXPECT_NEAR(class_probabilities(c.likelihood, c.mean, c.variance).sum(), 1.0, 1e-14);
  }
}

// m̂ = m + V ∂log Z/∂m and V̂ = V + V² ∂²log Z/∂m², by differences over 1e-2 standard deviations
// whose O(h⁴) error is 1e-8 in those units; the second are differences of the first.
TEST(RobustMax, MomentsAreDerivativesOfLogZ) {
  for (const Case& c : cases()) {
    const ClassTilted t = c.tilt();
    for (Index k = 0; k < c.mean.size(); ++k) {
      const double V = c.variance[k], sd = std::sqrt(V + c.likelihood.noise_variance);
      double narrowest = sd;
      for (Index j = 0; j < c.mean.size(); ++j)
        narrowest = std::min(narrowest, std::sqrt(c.variance[j] + c.likelihood.noise_variance));
      const auto moved = [&](double m) {
        Case other = c;
        other.mean[k] = m;
        return other.tilt();
      };
      const double h = 3e-2 * narrowest;
      const double slope = derivative([&](double m) { return moved(m).log_Z; }, c.mean[k], h);
      const double rounding = 1e-12 * (1.0 + std::abs(t.log_Z)) / h;
      EXPECT_NEAR(t.mean[k], c.mean[k] + V * slope, V * rounding + 1e-6 * std::sqrt(V));
      const double bend = derivative([&](double m) { return moved(m).mean[k]; }, c.mean[k], h);
      EXPECT_NEAR(t.variance[k] / V, bend, 2e-5 + 1e-11 * std::sqrt(V) / h);
    }
  }
}

TEST(RobustMax, SiteCompletesTheCavity) {
  for (const Case& c : cases()) {
    const ClassTilted t = c.tilt();
    for (Index k = 0; k < c.mean.size(); ++k) {
      const double tau = 1.0 / c.variance[k] + t.tau[k];
      const double nu = c.mean[k] / c.variance[k] + t.nu[k];
      EXPECT_NEAR(tau * t.variance[k], 1.0, 1e-10);
      EXPECT_NEAR(nu / tau, t.mean[k], 1e-9 * (std::abs(t.mean[k]) + std::sqrt(t.variance[k])));
    }
  }
}

TEST(RobustMax, RateGradientIsTheDerivativeOfLogZ) {
  for (const Case& c : cases()) {
    if (c.rate() == 0.0) continue;
    const auto log_Z = [&](double rate) {
      return tilted(c.likelihood, c.y, rate, c.mean, c.variance).log_Z;
    };
    const double numeric = derivative(log_Z, c.rate(), 1e-3);
    EXPECT_NEAR(c.tilt().rate_gradient, numeric, 1e-6 * (1.0 + std::abs(numeric)));
  }
}

// Two classes: Threshold in f₁ - f₀, whose noise is the sum of two.
TEST(RobustMax, OfTwoClassesIsThreshold) {
  for (const double rate : {0.0, 0.07})
    for (const double m : {-9.0, -0.4, 3.0})
      for (const double noise : {0.0, 0.6}) {
        const RobustMax two{rate, noise, 2};
        const Vector mean{{0.25, 0.25 + m}}, variance{{0.8, 1.7}};
        const ClassTilted t = tilted(two, 1, rate, mean, variance);
        const Threshold threshold{rate, 2.0 * noise};
        const Moments cavity{m, 2.5};
        const Tilted expected = threshold.tilted({.y = 1.0}, cavity);
        const double slope = (expected.moments.mean - m) / 2.5;
        const double beta = (1.0 - expected.moments.variance / 2.5) / 2.5;
        EXPECT_NEAR(t.log_Z, expected.log_Z, 1e-10);
        EXPECT_NEAR(t.p_wrong, threshold.p_wrong({.y = 1.0}, cavity), 1e-10);
        EXPECT_NEAR(t.rate_gradient / threshold.log_Z_gradient({.y = 1.0}, cavity)[0], 1.0, 1e-10);
        EXPECT_NEAR(t.mean[1], mean[1] + 1.7 * slope, 1e-10);
        EXPECT_NEAR(t.mean[0], mean[0] - 0.8 * slope, 1e-10);
        EXPECT_NEAR(t.variance[1], 1.7 - 1.7 * 1.7 * beta, 1e-10);
        EXPECT_NEAR(t.variance[0], 0.8 - 0.8 * 0.8 * beta, 1e-10);
      }
}

TEST(RobustMax, FollowsAPermutationOfTheClasses) {
  for (const Case& c : cases()) {
    const Case reversed{c.likelihood, static_cast<int>(c.likelihood.classes) - 1 - c.y,
                        c.mean.reverse(), c.variance.reverse()};
    const ClassTilted a = c.tilt(), b = reversed.tilt();
    EXPECT_NEAR(a.log_Z, b.log_Z, 1e-12 * (1.0 + std::abs(a.log_Z)));
    EXPECT_TRUE(a.tau.isApprox(b.tau.reverse(), 1e-10));
  }
}

// A cavity that contradicts the label: its mass is random, and its sites push the other way.
TEST(RobustMax, ContradictedLabelHasNegativeSites) {
  const RobustMax l{0.1, 1.0, 3};
  const ClassTilted t = tilted(l, 0, 0.1, Vector{{-2.0, 2.0, 0.0}}, Vector::Constant(3, 1.0));
  EXPECT_LT(t.tau[0], 0.0);
  EXPECT_GT(t.p_wrong, 0.5);
  const ClassTilted trusted = tilted(l, 0, 0.0, Vector{{-2.0, 2.0, 0.0}}, Vector::Constant(3, 1.0));
  EXPECT_GT(trusted.tau.minCoeff(), 0.0);
  EXPECT_EQ(trusted.p_wrong, 0.0);
}

// log Φ(-z) to 10 digits where P is 1e-100 and 1e-10000: all but one rival out of reach.
TEST(RobustMax, KeepsItsDigitsWhereTheProbabilityUnderflows) {
  for (const double z : {21.0, 210.0}) {
    const Vector mean{{-z * std::sqrt(2.0), 0.0, -1e4}};
    const ClassTilted t = tilted({0.0, 0.0, 3}, 0, 0.0, mean, Vector::Ones(3));
    EXPECT_NEAR(t.log_Z / log_normal_cdf(-z), 1.0, 1e-12);
    const double shrink = 0.5 + 0.5 * normal_ratios(-z).one_minus_r_r_plus_z;  // half is the sum's
    EXPECT_NEAR(t.variance[0], shrink, 1e-10);
    EXPECT_EQ(t.tau[2], 0.0);
  }
}

TEST(RobustMax, StaysFiniteForExtremeCavities) {
  for (const double m : {-1e6, -1e3, 0.0, 1.0, 1e6})
    for (const double small : {1e-10, 1e-3, 1.0})
      for (const double large : {1.0, 1e5, 1e10})
        for (const double rate : {0.0, 1e-12, 0.3}) {
          const Vector mean{{m, 0.0, 1.0, -m}}, variance{{small, large, small, large}};
          for (int y = 0; y < 4; ++y) {
            const ClassTilted t = tilted({rate, 0.0, 4}, y, rate, mean, variance);
            EXPECT_TRUE(std::isfinite(t.log_Z) && std::isfinite(t.rate_gradient));
            EXPECT_TRUE(t.tau.allFinite() && t.nu.allFinite() && t.mean.allFinite());
            EXPECT_GT(t.variance.minCoeff(), 0.0) << m << " " << small << " " << large;
          }
        }
}

TEST(RobustMax, RefusesWhatIsOutOfItsDomain) {
  EXPECT_THROW((RobustMax{0.7, 1.0, 3}.check()), InvalidInput);
  EXPECT_THROW((RobustMax{0.1, -1.0, 3}.check()), InvalidInput);
  EXPECT_THROW((RobustMax{0.1, 1.0, 1}.check()), InvalidInput);
  const RobustMax l{0.1, 1.0, 3};
  EXPECT_NEAR(l.random_share(), 0.15, 1e-15);
  const Vector m = Vector::Zero(3), V = Vector::Ones(3);
  EXPECT_THROW((void)tilted(l, 3, 0.1, m, V), InvalidInput);
  EXPECT_THROW((void)tilted(l, 0, 0.9, m, V), InvalidInput);
  EXPECT_THROW((void)tilted(l, 0, 0.1, m, Vector::Zero(3)), InvalidInput);
  EXPECT_THROW((void)tilted(l, 0, 0.1, Vector::Zero(2), V), InvalidInput);
}

}  // namespace
}  // namespace candor
