// SPDX-License-Identifier: MIT
// The Matérn covariance of any smoothness against 60-digit arithmetic; provenance in the file's
// head.
#include <candor/covariance/matern_profile.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace candor {
namespace {

struct Case {
  double smoothness, u_squared, value, slope;
};

std::vector<Case> stored_cases() {
  std::ifstream file("tests/covariance/matern_profile_oracle.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    Case c{};
    std::istringstream fields(line);
    if (fields >> c.smoothness >> c.u_squared >> c.value >> c.slope) cases.push_back(c);
  }
  return cases;
}

// exp(-u) carries half a unit of rounding in u, up to 632 here: 632 × 1.1e-16 = 7e-14.
constexpr double tolerance = 1e-13;

TEST(MaternProfile, AgreesWithHighPrecisionForAnySmoothness) {
  const std::vector<Case> cases = stored_cases();
  ASSERT_GT(cases.size(), 200U);
  for (const auto& [smoothness, u_squared, value, slope] : cases) {
    const MaternProfile profile = matern_profile(smoothness, u_squared);
    EXPECT_NEAR(profile.value / value, 1.0, tolerance)
        << "ν " << smoothness << ", u² " << u_squared;
    if (slope > -1e199) {
      EXPECT_NEAR(profile.slope / slope, 1.0, tolerance)
          << "ν " << smoothness << ", u² " << u_squared;
    }
  }
}

TEST(MaternProfile, IsOneAtZeroAndZeroFarAway) {
  for (const double smoothness : {1e-6, 0.3, 1.0, 4.2, 50.0, 500.0}) {
    EXPECT_EQ(matern_profile(smoothness, 0.0).value, 1.0);
    for (const double u_squared : {1e7, 1e12, 1e100, 1e300}) {
      const MaternProfile far = matern_profile(smoothness, u_squared);
      EXPECT_EQ(far.value, 0.0) << smoothness << " " << u_squared;
      EXPECT_TRUE(std::isfinite(far.slope));
    }
  }
}

TEST(MaternProfile, IsFiniteAndDecreasingFromTheSmallestArgumentsToTheLargest) {
  for (const double smoothness : {1e-3, 0.5, 0.9, 1.0, 1.5, 10.1, 50.0, 500.0}) {
    double previous = 1.0;
    for (double log_u_squared = -740.0; log_u_squared < 700.0; log_u_squared += 0.7) {
      const MaternProfile profile = matern_profile(smoothness, std::exp(log_u_squared));
      ASSERT_TRUE(std::isfinite(profile.slope));
      ASSERT_LE(profile.value, previous * (1.0 + 1e-13)) << smoothness << " at e^" << log_u_squared;
      ASSERT_GE(profile.value, 0.0);
      previous = profile.value;
    }
  }
}

}  // namespace
}  // namespace candor
