// SPDX-License-Identifier: MIT
// Stored numbers: tests/linalg/bivariate_normal_oracle.json, written by
// scripts/oracle/bivariate_normal.py in 40 digits.
#include <candor/linalg/bivariate_normal.hpp>
#include <candor/linalg/normal.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <stdexcept>

namespace candor {
namespace {

const double bounds[] = {-9.0, -2.0, -0.3, 0.0, 0.8, 4.0};
const double correlations[] = {-0.99, -0.6, 0.0, 0.3, 0.95, 0.9999};

nlohmann::json rows() {
  std::ifstream file("tests/linalg/bivariate_normal_oracle.json");
  if (!file) throw std::runtime_error("cannot read tests/linalg/bivariate_normal_oracle.json");
  return nlohmann::json::parse(file).at("rows");
}

// (b - r a)/√(1-r²) is rounded at 1e-16 |b|/√(1-r²), and enters the exponent multiplied by itself.
double conditioning(double a, double b, double r) {
  const double c = std::sqrt((1.0 - r) * (1.0 + r));
  const double z = (std::abs(a) + std::abs(b)) / c;
  return 1e-16 * z * (1.0 + std::abs(b - r * a) / c);
}

TEST(BivariateNormalOracle, LogProbabilityIsAccurateInTheTails) {
  for (const nlohmann::json& row : rows()) {
    const double a = row.at("a"), b = row.at("b"), r = row.at("r"), expected = row.at("log_cdf");
    const double actual = bivariate_normal(a, b, correlation(r)).log_cdf;
    const double tolerance = 1e-13 * (1.0 + std::abs(expected)) + conditioning(a, b, r);
    EXPECT_NEAR(actual, expected, tolerance) << a << " " << b << " " << r;
  }
}

// Without correlation the probability is a product; at the origin it is ¼ + asin(r)/2π.
TEST(BivariateNormal, HasItsClosedForms) {
  for (const double a : bounds)
    for (const double b : bounds) {
      const double expected = log_normal_cdf(a) + log_normal_cdf(b);
      EXPECT_NEAR(bivariate_normal(a, b, correlation(0.0)).log_cdf, expected,
                  1e-14 * (1.0 + std::abs(expected)));
    }
  for (const double r : correlations) {
    const double expected = 0.25 + std::asin(r) / (2.0 * std::numbers::pi);
    EXPECT_NEAR(std::exp(bivariate_normal(0.0, 0.0, correlation(r)).log_cdf), expected, 1e-14);
  }
}

TEST(BivariateNormal, ProbabilitiesOfTheFourQuadrantsAddUpToOne) {
  for (const double a : bounds)
    for (const double b : bounds)
      for (const double r : correlations) {
        double total = 0.0;
        for (const double s : {-1.0, 1.0})
          for (const double t : {-1.0, 1.0})
            total += std::exp(bivariate_normal(s * a, t * b, correlation(s * t * r)).log_cdf);
        EXPECT_NEAR(total, 1.0, 4e-14) << a << " " << b << " " << r;
        const BivariateNormal n = bivariate_normal(a, b, correlation(r));
        EXPECT_NEAR(std::exp(n.log_cdf) + n.missing, 1.0, 1e-14);
      }
}

// E[X] = -(g_a + r g_b): moments come from the sum, slopes from closed forms.
TEST(BivariateNormal, MomentsAgreeWithSlopes) {
  for (const double a : bounds)
    for (const double b : bounds)
      for (const double r : correlations) {
        const Correlation at = correlation(r);
        const BivariateNormal n = bivariate_normal(a, b, at);
        const double size = 1.0 + std::abs(a) + std::abs(b) + n.slope_a + n.slope_b;
        const double tolerance = 1e-12 * size + 10.0 * size * conditioning(a, b, r);
        EXPECT_NEAR(a - n.gap_a, -(n.slope_a + r * n.slope_b), tolerance);
        EXPECT_NEAR(b - n.gap_b, -(n.slope_b + r * n.slope_a), tolerance);
        // Var X = 1 + (H_aa + 2 r H_ab + r² H_bb), H the Hessian of log Φ₂.
        const double Haa = -n.slope_a * (a + n.slope_a) - r * n.mixed;
        const double Hbb = -n.slope_b * (b + n.slope_b) - r * n.mixed;
        const double Hab = n.mixed - n.slope_a * n.slope_b;
        const double size2 = size * tolerance * 10.0;
        EXPECT_NEAR(n.variance_a, 1.0 + Haa + 2.0 * r * Hab + r * r * Hbb, size2);
        EXPECT_NEAR(n.variance_b, 1.0 + Hbb + 2.0 * r * Hab + r * r * Haa, size2);
        EXPECT_NEAR(n.covariance, r + r * Haa + r * Hbb + (1.0 + r * r) * Hab, size2);
      }
}

// The oracle must tell a rule of absolute accuracy from one of relative accuracy: 1e-14 added.
TEST(BivariateNormalOracle, FindsAnErrorThatIsOnlySmallAbsolutely) {
  double worst = 0.0;
  for (const nlohmann::json& row : rows()) {
    const double expected = row.at("log_cdf");
    worst = std::max(worst, std::abs(std::log(std::exp(expected) + 1e-14) - expected));
  }
  EXPECT_GT(worst, 1.0);
}

TEST(BivariateNormal, StaysFiniteFarOut) {
  for (const double a : {-1e5, -40.0, 0.0, 1e5})
    for (const double b : {-1e5, -3.0, 40.0, 1e5})
      for (const double r : {-1.0 + 1e-12, -0.5, 0.0, 0.9, 1.0 - 1e-12}) {
        const BivariateNormal n = bivariate_normal(a, b, correlation(r));
        EXPECT_TRUE(std::isfinite(n.log_cdf)) << a << " " << b << " " << r;
        EXPECT_TRUE(std::isfinite(n.gap_a) && std::isfinite(n.gap_b));
        EXPECT_GT(n.variance_a, 0.0) << a << " " << b << " " << r;
        EXPECT_GT(n.variance_b, 0.0) << a << " " << b << " " << r;
      }
}

}  // namespace
}  // namespace candor
