// SPDX-License-Identifier: MIT
// Stored numbers: tests/linalg/normal_oracle.json, written by scripts/oracle/normal.py in 200
// digits.
#include <candor/linalg/normal.hpp>
#include <candor/linalg/normal_factors.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <numbers>
#include <stdexcept>

namespace candor {
namespace {

// What linalg/normal.hpp promises; 1e-300 because smaller doubles have fewer digits.
void expect_accurate(double actual, const nlohmann::json& row, const char* what) {
  const double expected = row.at(what);
  EXPECT_LE(std::abs(actual - expected), 1e-13 * std::abs(expected) + 1e-300)
      << what << " at z = " << row.at("z");
}

nlohmann::json rows() {
  std::ifstream file("tests/linalg/normal_oracle.json");
  if (!file) throw std::runtime_error("cannot read tests/linalg/normal_oracle.json");
  return nlohmann::json::parse(file).at("rows");
}

TEST(NormalOracle, DistributionIsAccurateToThirteenDigits) {
  for (const nlohmann::json& row : rows()) {
    const double z = row.at("z");
    expect_accurate(normal_pdf(z), row, "pdf");
    expect_accurate(normal_cdf(z), row, "cdf");
    expect_accurate(log_normal_cdf(z), row, "log_cdf");
  }
}

TEST(NormalOracle, RatiosAreAccurateToThirteenDigits) {
  for (const nlohmann::json& row : rows()) {
    const NormalRatios ratios = normal_ratios(row.at("z"));
    expect_accurate(ratios.r, row, "r");
    expect_accurate(ratios.r_plus_z, row, "r_plus_z");
    expect_accurate(ratios.one_minus_r_r_plus_z, row, "one_minus_r_r_plus_z");
    expect_accurate(ratios.one_plus_z_r_plus_z, row, "one_plus_z_r_plus_z");
    expect_accurate(ratios.r * ratios.skew, row, "third_cumulant");
  }
}

TEST(NormalOracle, FactorIsAccurateToThirteenDigits) {
  for (const nlohmann::json& row : rows()) {
    const double z = row.at("z");
    const NormalFactor factor = normal_factor(z);
    expect_accurate(factor.r, row, "r");
    expect_accurate(factor.r_plus_z, row, "r_plus_z");
    expect_accurate(factor.one_minus_r_r_plus_z, row, "one_minus_r_r_plus_z");
    if (z < 0.0) {
      expect_accurate(std::log(factor.scaled) - 0.5 * z * z, row, "log_cdf");
    } else {
      expect_accurate(factor.scaled, row, "cdf");
      EXPECT_LE(std::abs(factor.missing - normal_cdf(-z)), 1e-13 * factor.missing);
    }
  }
}

// In one call, so that every lane and both sides of z = 0 are met together.
TEST(NormalOracle, ManyFactorsAreAccurateToThirteenDigits) {
  const nlohmann::json all = rows();
  const auto count = static_cast<Index>(all.size());
  NormalFactors factors(count);
  for (Index i = 0; i < count; ++i)
    factors.z()[i] = all[static_cast<std::size_t>(i)].at("z").get<double>();
  factors.evaluate(count);
  for (Index i = 0; i < count; ++i) {
    const nlohmann::json& row = all[static_cast<std::size_t>(i)];
    const double z = row.at("z");
    expect_accurate(factors.r()[i], row, "r");
    expect_accurate(factors.r_plus_z()[i], row, "r_plus_z");
    expect_accurate(factors.one_minus_r_r_plus_z()[i], row, "one_minus_r_r_plus_z");
    const NormalFactor single = normal_factor(z);
    EXPECT_NEAR(factors.scaled()[i] / single.scaled, 1.0, 1e-14) << z;
    EXPECT_LE(std::abs(factors.missing()[i] - single.missing), 1e-13 * single.missing + 1e-300);
  }
}

// The formulas as written must fail this oracle, or it would not test the tails.
TEST(NormalOracle, FindsTheCancellationOfTheNaiveForm) {
  double worst = 0.0;
  for (const nlohmann::json& row : rows()) {
    const double z = row.at("z");
    if (z < -30.0) continue;  // where the naive form divides 0 by 0
    const double r = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi) /
                     (0.5 * std::erfc(-z / std::sqrt(2.0)));
    const double expected = row.at("one_minus_r_r_plus_z");
    worst = std::max(worst, std::abs(1.0 - r * (r + z) - expected) / expected);
  }
  EXPECT_GT(worst, 1e-11);
}

}  // namespace
}  // namespace candor
