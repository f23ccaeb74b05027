// SPDX-License-Identifier: MIT
// Random numbers: the same everywhere, and of the distributions they are said to be of.
#include <candor/linalg/normal.hpp>
#include <candor/linalg/random.hpp>
#include <candor/linalg/truncated_normal.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

TEST(Random, StartsFromTheBitsOfTheStandardsGenerator) {
  // The standard fixes the 10000th number of mt19937_64 from its default seed, 5489.
  Random random(5489);
  for (int i = 1; i < 10000; ++i) static_cast<void>(random.uniform());
  const std::uint64_t bits = 9981545732273789042ULL;
  EXPECT_EQ(random.uniform(), (static_cast<double>(bits >> 11U) + 1.0) * 0x1p-53);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  Random a(1, 0), again(1, 0), b(1, 1), c(2, 0);
  const double first = a.uniform();
  EXPECT_EQ(first, again.uniform());
  EXPECT_NE(first, b.uniform());
  EXPECT_NE(first, c.uniform());
}

TEST(Random, NormalsHaveTheirMoments) {
  constexpr Index n = 100000;
  Random random(3);
  const Vector x = random.normals(n, 1);
  // Four standard errors of each.
  EXPECT_NEAR(x.mean(), 0.0, 4.0 / std::sqrt(n));
  EXPECT_NEAR(x.array().square().mean(), 1.0, 4.0 * std::sqrt(2.0 / n));
  EXPECT_NEAR(x.array().cube().mean(), 0.0, 4.0 * std::sqrt(15.0 / n));
  EXPECT_NEAR((x.head(n - 1).array() * x.tail(n - 1).array()).mean(), 0.0, 4.0 / std::sqrt(n));
}

// Of x ~ N(0, 1) given x > a: mean r(-a), variance 1 - r (r - a) with r = φ(a)/Φ(-a).
TEST(NormalAbove, HasTheMomentsOfATruncatedNormal) {
  constexpr int n = 100000;
  for (const double a : {-40.0, -3.0, -0.5, 0.0, 0.39, 0.41, 1.0, 5.0, 40.0}) {
    Random random(4);
    const NormalRatios exact = normal_ratios(-a);
    const double sd = std::sqrt(exact.one_minus_r_r_plus_z);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = normal_above(a, random);
      ASSERT_GT(x, a - 1e-300);
      const double z = (x - exact.r) / sd;
      sum += z, squares += z * z;
    }
    EXPECT_NEAR(sum / n, 0.0, 4.0 / std::sqrt(n)) << a;
    // The kurtosis is at most that of an exponential, 9: Var z² ≤ 8.
    EXPECT_NEAR(squares / n, 1.0, 4.0 * std::sqrt(8.0 / n)) << a;
  }
}

TEST(NormalQuantile, IsTheInverseOfTheDistributionFunction) {
  // An upper tail is rounded by 1e-16 where the density is φ(z): 2e-14 at z = 3, the most here.
  for (const double z : {-30.0, -8.0, -2.5, -0.3, 0.0, 0.7, 3.0}) {
    EXPECT_NEAR(normal_quantile(normal_cdf(z)), z, 1e-12 * (1.0 + std::abs(z))) << z;
  }
}

}  // namespace
}  // namespace candor
