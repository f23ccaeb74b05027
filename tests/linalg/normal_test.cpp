// SPDX-License-Identifier: MIT
#include <candor/linalg/normal.hpp>
#include <candor/linalg/normal_factors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(Normal, HasItsLimitsAtInfinity) {
  EXPECT_EQ(normal_pdf(infinity), 0.0);
  EXPECT_EQ(normal_pdf(-infinity), 0.0);
  EXPECT_EQ(normal_cdf(infinity), 1.0);
  EXPECT_EQ(normal_cdf(-infinity), 0.0);
  EXPECT_EQ(log_normal_cdf(infinity), 0.0);
  EXPECT_EQ(log_normal_cdf(-infinity), -infinity);
}

TEST(NormalRatios, HaveTheirLimitsAtInfinity) {
  const NormalRatios left = normal_ratios(-infinity);
  EXPECT_EQ(left.r, infinity);
  EXPECT_EQ(left.r_plus_z, 0.0);
  EXPECT_EQ(left.one_minus_r_r_plus_z, 0.0);
  EXPECT_EQ(left.one_plus_z_r_plus_z, 0.0);
  EXPECT_EQ(left.skew, 0.0);
  const NormalRatios right = normal_ratios(infinity);
  EXPECT_EQ(right.r, 0.0);
  EXPECT_EQ(right.r_plus_z, infinity);
  EXPECT_EQ(right.one_minus_r_r_plus_z, 1.0);
  EXPECT_EQ(right.one_plus_z_r_plus_z, infinity);
}

// One term of the asymptotic series in 1/z² is exact to a few roundings beyond 1e8.
TEST(NormalRatios, FollowTheirAsymptotesBeyondTheStatedRange) {
  for (const double x : {1e8, 1e20, 1e80}) {
    const NormalRatios ratios = normal_ratios(-x);
    EXPECT_DOUBLE_EQ(ratios.r, x);
    EXPECT_NEAR(ratios.r_plus_z * x, 1.0, 1e-14);
    EXPECT_NEAR(ratios.one_minus_r_r_plus_z * x * x, 1.0, 1e-14);
    EXPECT_NEAR(ratios.one_plus_z_r_plus_z * x * x, 2.0, 1e-14);
  }
}

TEST(NormalRatios, AreNaNOnlyForNaN) {
  for (const double z : {-1e308, -1e154, -39.0, -0.0, 0.0, 38.7, 1e154, 1e308}) {
    const NormalRatios ratios = normal_ratios(z);
    for (const double x : {ratios.r, ratios.r_plus_z, ratios.one_minus_r_r_plus_z,
                           ratios.one_plus_z_r_plus_z, ratios.skew, log_normal_cdf(z)})
      EXPECT_FALSE(std::isnan(x)) << z;
  }
  EXPECT_TRUE(std::isnan(normal_ratios(not_a_number).r));
  EXPECT_TRUE(std::isnan(log_normal_cdf(not_a_number)));
  EXPECT_TRUE(std::isnan(normal_cdf(not_a_number)));
}

TEST(NormalFactors, StayFiniteFarOutAndAreNothingBeyondTheLastDensity) {
  NormalFactors factors(4);
  factors.z().head(4) << -1e308, -1e40, 38.0, 1e308;
  factors.evaluate(4);
  EXPECT_TRUE(factors.r().head(4).allFinite() && factors.r_plus_z().head(4).allFinite());
  EXPECT_TRUE((factors.scaled().head(4) > 0.0).all());
  EXPECT_NEAR(factors.r()[1] / 1e40, 1.0, 1e-15);
  for (const Index i : {2, 3}) {
    EXPECT_EQ(factors.r()[i], 0.0);
    EXPECT_EQ(factors.missing()[i], 0.0);
    EXPECT_EQ(factors.one_minus_r_r_plus_z()[i], 1.0);
  }
}

// The two expressions for z < 0 and z ≥ 0 meet: no step larger than rounding (1e-15) at the switch.
TEST(NormalRatios, AreContinuousAtTheSwitch) {
  const NormalRatios left = normal_ratios(-1e-300);
  const NormalRatios right = normal_ratios(0.0);
  EXPECT_NEAR(left.r, right.r, 1e-15);
  EXPECT_NEAR(left.one_minus_r_r_plus_z, right.one_minus_r_r_plus_z, 1e-15);
  EXPECT_NEAR(left.skew, right.skew, 2e-15);
}

TEST(Normal, ProbabilitiesOfBothSidesAddUpToOne) {
  for (double z = -12.0; z <= 12.0; z += 0.37)
    EXPECT_NEAR(normal_cdf(z) + normal_cdf(-z), 1.0, 1e-15) << z;
}

TEST(Normal, HalfTheMassIsOnEitherSideOfZero) {
  EXPECT_EQ(normal_cdf(0.0), 0.5);
  EXPECT_EQ(normal_cdf(-0.0), 0.5);
}

TEST(LogAddExp, NeitherOverflowsNorNeedsFiniteArguments) {
  EXPECT_DOUBLE_EQ(log_add_exp(0.0, 0.0), std::log(2.0));
  EXPECT_DOUBLE_EQ(log_add_exp(1000.0, 1000.0), 1000.0 + std::log(2.0));
  EXPECT_EQ(log_add_exp(-infinity, -3.0), -3.0);
  EXPECT_EQ(log_add_exp(-3.0, -infinity), -3.0);
  EXPECT_EQ(log_add_exp(-infinity, -infinity), -infinity);
  EXPECT_EQ(log_add_exp(-5000.0, 1.0), 1.0);
}

}  // namespace
}  // namespace candor
