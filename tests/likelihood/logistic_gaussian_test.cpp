// SPDX-License-Identifier: MIT
// The logistic function under normal densities far narrower, far wider and far further away than
// itself.
#include <candor/likelihood/logistic.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace candor {
namespace {

using TiltedBy = std::function<LogisticTilted(Moments)>;

bool is_close(double a, double b, double relative, double floor = 0.0) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b)) + floor;
}

// log Z is accurate absolutely where it is near 0, the mean relative to the tilted sd.
bool agree(const LogisticTilted& a, const LogisticTilted& b, double relative) {
  const double sd = std::sqrt(a.moments.variance);
  return is_close(a.log_Z, b.log_Z, relative, relative) && is_close(a.slope, b.slope, relative) &&
         is_close(a.beta, b.beta, relative) &&
         is_close(a.moments.mean, b.moments.mean, relative, relative * sd) &&
         is_close(a.moments.variance, b.moments.variance, relative) &&
         is_close(a.variance_ratio, b.variance_ratio, relative);
}

// Two neighbouring numbers between which the method changes.
struct Switch {
  Moments below, above;
};
Switch at_variance(double mean, double variance) {
  return {{mean, std::nextafter(variance, 0.0)}, {mean, variance}};
}
Switch at_mean(double mean, double variance) {
  return {{mean, variance}, {std::nextafter(mean, 2.0 * mean), variance}};
}

std::vector<Switch> switches() {
  std::vector<Switch> all;
  for (const double mean : {-300.0, -3.0, -1e-6, 0.0, 0.4, 20.0, 600.0})
    all.push_back(at_variance(mean, 1e-18));
  for (const double mean : {-1e8, -1e4, -100.0, 0.0, 1.0, 3e3, 1e4})
    all.push_back(at_variance(mean, 1e8));
  for (const double variance : {1e8, 1e9, 1e12, 1e20, 1e100, 1e290}) {
    all.push_back(at_mean(-1e-4 * variance, variance));
    all.push_back(at_mean(-0.9999 * variance, variance));
  }
  for (const double variance : {1e8, 1e9}) all.push_back(at_mean(1e-4 * variance, variance));
  for (const double variance : {1e-25, 1e-10, 1e-3, 1.0, 30.0, 1e4, 1e12, 1e200})
    all.push_back(at_mean(-0.5 * variance, variance));
  return all;
}

// 1e-10: the quadrature loses up to five digits of sixteen at v = 1e8; the closed forms are within
// 1e-15 of the truth there.
int number_of_jumps(const TiltedBy& tilted) {
  int jumps = 0;
  for (const auto& [below, above] : switches())
    if (!agree(tilted(below), tilted(above), 1e-10)) ++jumps;
  return jumps;
}

TEST(LogisticGaussian, IsContinuousWhereTheMethodChanges) {
  for (const auto& [below, above] : switches())
    EXPECT_TRUE(agree(logistic_tilted(below), logistic_tilted(above), 1e-10))
        << below.mean << " " << below.variance;
}

// A step without the sigmoid's own variance π²/3 is wrong by 3e-8 at v = 1e8.
TEST(LogisticGaussian, ContinuityDetectsAForgottenNoiseVariance) {
  const TiltedBy mutant = [](Moments normal) {
    LogisticTilted t = logistic_tilted(normal);
    if (normal.variance >= 1e8) t.variance_ratio *= 1.0 + 3.3e-8;
    return t;
  };
  EXPECT_GE(number_of_jumps(mutant), 7);
  EXPECT_EQ(number_of_jumps(logistic_tilted), 0);
}

// Composite tanh-sinh quadrature with 50 digits, 70 for v ≤ 1e-10 (mpmath 1.3); 1e-11 as for the
// stored moments.
TEST(LogisticGaussian, AgreesWithFiftyDigits) {
  struct Case {
    double mean, variance, log_Z, slope, beta, tilted_mean, tilted_variance;
  };
  for (const Case& c : {
           Case{1e6, 1e12, -0.17275377902392297, 2.8759997093931442e-7, 3.7031371422266275e-13,
                1287599.9709393144, 629686285777.33725},
           Case{-2e4, 1e9, -1.3335325561861778, 3.9191961480135843e-5, 7.521706176364625e-10,
                19191.961480135843, 247829382.3635375},
           Case{-1e6, 1e9, -504.37381203836537, 0.0010009980066368211, 9.9900594722187917e-10,
                998.00663682114671, 994052.7781208276},
           Case{-9e7, 1e8, -40500007.810190998, 0.89999990331191996, 9.9999896644761027e-9,
                -9.6688080039667627, 103.35523897273127},
           Case{-3e7, 1e8, -4500008.7726137653, 0.3000000228249998, 9.9999984920593987e-9,
                2.2824999801271444, 15.079406012599847},
           Case{-100000300, 1e8, -50000300.669496138, 0.99992211154224559, 6.3002772169362894e-9,
                -8088.8457754408932, 36997227.830637106},
           Case{1e4, 1e8, -0.17275378375427969, 2.8759997229976477e-5, 3.7031370690493083e-9,
                12875.999722997648, 62968629.309506917},
           Case{-1e3, 1e9, -0.71869795987333923, 2.5871372913828597e-5, 6.434565636176688e-10,
                24871.372913828597, 356543436.3823312},
           Case{-0.25, 1e-10, -0.82593941987534815, 0.56217650087043065, 0.24613408272739294,
                -0.24999999994378235, 9.9999999997538659e-11},
           Case{3, 1e-17, -0.048587351573742059, 0.047425873177566781, 0.045176659730912133, 3.0,
                1.0e-17},
           Case{-7, 1e-20, -7.0009114664537742, 0.99908894880559935, 0.00091022118012182652, -7.0,
                1.0e-20},
           Case{-40, 80, -12.020703996217327, 0.5, 0.011241200607457221, 0.0, 8.0563161122737851},
           Case{-2.5e9, 1e10, -312500010.94056052, 0.25000000031415926, 9.9999999802607914e-11,
                3.1415926411872827, 19.739208646324174},
       }) {
    const LogisticTilted expected{c.log_Z,
                                  c.slope,
                                  c.beta,
                                  {c.tilted_mean, c.tilted_variance},
                                  c.tilted_variance / c.variance};
    EXPECT_TRUE(agree(logistic_tilted({c.mean, c.variance}), expected, 1e-11))
        << c.mean << " " << c.variance;
  }
}

// Far to the left σ(f) = exp(f): the normal moves by v and keeps its variance.
TEST(LogisticGaussian, TailIsAnExponentialTilt) {
  for (const auto& [m, v] : {Moments{-1e28, 1.0},
                             {-1e100, 1.0},
                             {-1e300, 1e-300},
                             {-1e300, 1e299},
                             {-1e9, 1e8},
                             {-500.0, 1e-5}}) {
    const LogisticTilted t = logistic_tilted({m, v});
    // Rounding error of m + v/2 and of sums over sixty nodes.
    EXPECT_TRUE(is_close(t.log_Z, m + 0.5 * v, 1e-15)) << m << " " << v;
    EXPECT_TRUE(is_close(t.slope, 1.0, 1e-15));
    EXPECT_LT(t.beta * v, 1e-15);
    EXPECT_TRUE(is_close(t.moments.mean, m + v, 1e-15, 1e-14 * std::sqrt(v)));
    EXPECT_TRUE(is_close(t.moments.variance, v, 1e-13));
  }
}

// The corners of what doubles hold, and the arguments at which panels used to be lost in rounding.
std::vector<Moments> far_and_wide() {
  std::vector<Moments> all{{1e18, 1e36}, {0.0, 1e-320}, {5e-324, 5e-324}};
  for (const double variance : {1e-320, 1e-300, 1e-150, 1e-17, 1e-6, 1.0, 1e4, 9.9e7, 1e8, 1e12,
                                1e16, 1e34, 1e100, 1e200, 1e300})
    for (const double size :
         {0.0, 1e-300, 1e-9, 1.0, 40.0, 1e4, 1e8, 1e16, 1e28, 1e100, 1e300, std::sqrt(variance),
          9.0 * std::sqrt(variance), 1.01e-4 * variance, 0.5 * variance, variance})
      for (const double sign : {-1.0, 1.0}) all.push_back({sign * size, variance});
  return all;
}

TEST(LogisticGaussian, IsFiniteHoweverFarAndWide) {
  for (const auto& [m, v] : far_and_wide()) {
    SCOPED_TRACE(::testing::Message() << m << " " << v);
    const LogisticTilted t = logistic_tilted({m, v});
    const Tilted site = Logistic{}.tilted({.y = -1.0}, {-m, v});
    EXPECT_TRUE(std::isfinite(t.log_Z) && t.log_Z <= 0.0) << t.log_Z;
    EXPECT_TRUE(t.slope >= 0.0 && t.slope <= 1.0) << t.slope;
    EXPECT_TRUE(t.beta >= 0.0 && t.beta <= 0.2500001) << t.beta;
    EXPECT_TRUE(std::isfinite(t.moments.mean) && t.moments.mean >= m) << t.moments.mean;
    EXPECT_TRUE(t.moments.variance > 0.0 && t.moments.variance <= v * (1.0 + 1e-13));
    EXPECT_TRUE(std::isfinite(site.site.tau) && site.site.tau >= 0.0) << site.site.tau;
    EXPECT_TRUE(std::isfinite(site.site.nu)) << site.site.nu;
    const double p = expected_logistic({m, v});
    EXPECT_TRUE(p >= 0.0 && p <= 1.0) << p;
  }
}

}  // namespace
}  // namespace candor
