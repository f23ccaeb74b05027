// SPDX-License-Identifier: MIT
// Stored numbers from high precision: tests/oracle/site_moments.json,
// tests/oracle/logistic_gaussian_integral.json and tests/likelihood/likelihood_oracle.json
// (scripts/oracle/likelihood.py).
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>

namespace candor {
namespace {

using nlohmann::json;

json read(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  return json::parse(file);
}

// Relative, except below 1e-290 where doubles run out of digits.
void expect_close(double actual, double expected, double relative, const char* what) {
  EXPECT_LE(std::abs(actual - expected), relative * std::abs(expected) + 1e-290)
      << what << ": " << actual << " for " << expected;
}

// 1e-12: a few roundings, times the condition of z² in φ(z).
TEST(ThresholdOracle, AgreesWithTheStoredSiteMoments) {
  const json vector = read("tests/oracle/site_moments.json");
  for (const json& c : vector["expected"]["cases"]) {
    SCOPED_TRACE(c.dump());
    const Threshold likelihood{.flip_probability = c["eps"], .noise_variance = c["v2"]};
    const Tilted tilted = likelihood.tilted({.y = c["y"]}, {c["cavity_mean"], c["cavity_var"]});
    const json& e = c["expected"];
    expect_close(tilted.log_Z, e["logZ"], 1e-12, "log Z");
    expect_close(tilted.moments.mean, e["mean"], 1e-12, "mean");
    expect_close(tilted.moments.variance, e["var"], 1e-12, "variance");
    expect_close(tilted.site.tau, e["tau"], 1e-12, "tau");
    expect_close(tilted.site.nu, e["nu"], 1e-12, "nu");
  }
}

// 1e-11: log Φ(-9/0.2) = -1018 enters an exponential where a flip competes with it.
TEST(AsymmetricThresholdOracle, AgreesWithTheStoredDefinition) {
  const json stored = read("tests/likelihood/likelihood_oracle.json");
  for (const json& c : stored["flipped_step"]) {
    SCOPED_TRACE(c.dump());
    const AsymmetricThreshold likelihood{.flip_positive = c["flip_positive"],
                                         .flip_negative = c["flip_negative"],
                                         .noise_variance = c["noise_variance"]};
    const Observation row{.y = c["y"]};
    const Moments cavity{c["mean"], c["variance"]};
    const json& e = c["expected"];
    expect_close(likelihood.tilted(row, cavity).log_Z, e["log_Z"], 1e-12, "log Z");
    expect_close(likelihood.p_wrong(row, cavity), e["p_wrong"], 1e-11, "p_wrong");
    const Vector gradient = likelihood.log_Z_gradient(row, cavity);
    for (Index i = 0; i < 3; ++i)
      expect_close(gradient[i], e["gradient"][static_cast<std::size_t>(i)], 1e-11, "gradient");
    const LogDensity density = likelihood.log_density(row, cavity.mean);
    expect_close(density.value, e["log_p"], 1e-12, "log p");
    expect_close(density.d1, e["derivatives"][0], 1e-11, "d1");
    expect_close(density.d2, e["derivatives"][1], 1e-11, "d2");
    expect_close(density.d3, e["derivatives"][2], 1e-11, "d3");
  }
}

TEST(LogisticOracle, AgreesWithTheStoredIntegrals) {
  const json vector = read("tests/oracle/logistic_gaussian_integral.json");
  for (const json& c : vector["expected"]["cases"])
    expect_close(expected_logistic({c["mean"], c["var"]}), c["expected"], 1e-13, "E[σ]");
}

// log Z is accurate absolutely where it is near 0; everything else relatively.  1e-11: for means of
// ±1000 and variances of 1e6 the quadrature and the difference ν lose up to four digits of sixteen.
TEST(LogisticOracle, AgreesWithTheStoredTiltedMoments) {
  const json stored = read("tests/likelihood/likelihood_oracle.json");
  for (const json& c : stored["logistic"]) {
    SCOPED_TRACE(c.dump());
    const json& e = c["expected"];
    for (const double y : {1.0, -1.0}) {
      const double mean = c["mean"];
      const double variance = c["variance"];
      const Tilted tilted = Logistic{}.tilted({.y = y}, {y * mean, variance});
      const double log_Z = e["log_Z"];
      EXPECT_NEAR(tilted.log_Z, log_Z, 1e-14 + 1e-14 * std::abs(log_Z));
      EXPECT_NEAR(y * tilted.moments.mean, e["mean"], 1e-12 * (1.0 + std::abs(mean)));
      expect_close(tilted.moments.variance, e["variance"], 1e-11, "variance");
      // The stored τ and ν are differences of precisions in 80 digits.
      const double tau = e["tau"];
      const double nu = e["nu"];
      const double digits = 1e-60 * (1.0 + std::abs(mean)) / variance;
      EXPECT_NEAR(tilted.site.tau, tau, 1e-11 * std::abs(tau) + digits);
      EXPECT_NEAR(y * tilted.site.nu, nu, 1e-11 * std::abs(nu) + digits);
    }
  }
}

}  // namespace
}  // namespace candor
