// SPDX-License-Identifier: MIT
// The evidence gradient against differences of the evidence, for every hyperparameter.
#include "differences.hpp"
#include "zoo.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/inference/evidence_gradient.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr double tolerance = 1e-7;

Vector covariance_differences(const Setting& setting) {
  const Vector theta = log_parameters(setting.covariance);
  Vector differences(theta.size());
  for (Index p = 0; p < theta.size(); ++p) {
    differences[p] = derivative([&](double step) {
      Setting moved = setting;
      Vector shifted = theta;
      shifted[p] += step;
      moved.covariance = with_log_parameters(setting.covariance, shifted);
      return solve(moved).log_evidence;
    });
  }
  return differences;
}

// In the log of a variance, in a rate itself.
Vector likelihood_differences(const Setting& setting) {
  const Vector values = parameter_values(setting.likelihood);
  const auto domains = parameter_domains(setting.likelihood);
  Vector differences(values.size());
  for (Index p = 0; p < values.size(); ++p) {
    const bool positive = domains[static_cast<std::size_t>(p)] == LikelihoodDomain::positive;
    differences[p] = derivative([&](double step) {
      Setting moved = setting;
      Vector shifted = values;
      shifted[p] = positive ? values[p] * std::exp(step) : values[p] + step;
      moved.likelihood = with_parameter_values(setting.likelihood, shifted);
      return solve(moved).log_evidence;
    });
  }
  return differences;
}

// A rate of 0 has no neighbour below it to take a difference with; its derivative is one-sided.
bool has_zero_rate(const Setting& setting) {
  const Vector values = parameter_values(setting.likelihood);
  return (values.array() == 0.0).any();
}

// The same problem with weights, a trusted row and a row of known rate where labels may be flipped.
Setting enriched(Setting setting) {
  const Index n = setting.table.X.rows();
  setting.table.observations.weight = Vector::Ones(n);
  setting.table.observations.weight[0] = 0.7;
  setting.table.observations.weight[1] = 2.0;
  setting.table.observations.weight[2] = 0.3;
  setting.table.observations.weight[4] = 0.04;
  setting.table.observations.weight[n - 1] = 1.5;
  const bool flips = std::holds_alternative<Threshold>(setting.likelihood) ||
                     std::holds_alternative<AsymmetricThreshold>(setting.likelihood);
  if (flips) {
    setting.table.observations.known_flip_rate = Vector::Constant(n, rate_not_known);
    setting.table.observations.known_flip_rate[0] = 0.0;
    setting.table.observations.known_flip_rate[4] = 0.2;
  }
  setting.name += ", weighted";
  return setting;
}

Setting gappy(Setting setting) {
  for (const Index i : {2, 5}) {
    setting.table.X(i, i % setting.table.X.cols()) = std::numeric_limits<double>::quiet_NaN();
  }
  setting.name += ", not all known";
  return setting;
}

std::vector<Setting> gradient_zoo() {
  std::vector<Setting> settings = zoo();
  for (const Setting& setting : zoo()) {
    settings.push_back(enriched(setting));
    settings.push_back(gappy(setting));
  }
  return settings;
}

class EvidenceGradientLaws : public testing::TestWithParam<Setting> {};

TEST_P(EvidenceGradientLaws, AgreesWithDifferencesInTheCovariance) {
  Approximation q = solve(GetParam());
  const auto gradient = evidence_gradient(q, GetParam().covariance, GetParam().table.X);
  EXPECT_LT(difference(gradient.covariance, covariance_differences(GetParam())), tolerance);
}

TEST_P(EvidenceGradientLaws, AgreesWithDifferencesInTheLikelihood) {
  if (has_zero_rate(GetParam())) return;
  Approximation q = solve(GetParam());
  const auto gradient = evidence_gradient(q, GetParam().covariance, GetParam().table.X);
  EXPECT_LT(difference(gradient.likelihood, likelihood_differences(GetParam())), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Zoo, EvidenceGradientLaws, testing::ValuesIn(gradient_zoo()));

// Forward differences over three points, error of order h².
TEST(EvidenceGradient, IsOneSidedAtAFlipProbabilityOfZero) {
  for (Setting setting : ep_zoo()) {
    if (!std::holds_alternative<Threshold>(setting.likelihood)) continue;
    const double noise = std::get<Threshold>(setting.likelihood).noise_variance;
    const auto evidence = [&](double rate) {
      setting.likelihood = Threshold{.flip_probability = rate, .noise_variance = noise};
      return solve(setting).log_evidence;
    };
    constexpr double h = 1e-5;
    const double forward =
        (-3.0 * evidence(0.0) + 4.0 * evidence(h) - evidence(2.0 * h)) / (2.0 * h);
    setting.likelihood = Threshold{.flip_probability = 0.0, .noise_variance = noise};
    EXPECT_LT(difference(solve(setting).likelihood_gradient[0], forward), 1e-4) << setting;
  }
}

TEST(EvidenceGradientMutants, AWrongAlphaBreaksTheLaw) {
  for (const Setting& setting : zoo()) {
    Approximation q = solve(setting);
    q.alpha *= 1.001;
    const auto gradient = evidence_gradient(q, setting.covariance, setting.table.X);
    EXPECT_GT(difference(gradient.covariance, covariance_differences(setting)), 10 * tolerance)
        << setting;
  }
}

// Laplace's mode moves with the hyperparameters: without that the gradient is wrong.
TEST(EvidenceGradientMutants, ForgettingThatTheModeMovesBreaksTheLaw) {
  for (const Setting& setting : zoo()) {
    const bool moves = std::holds_alternative<Laplace>(setting.engine) &&
                       !std::holds_alternative<Gaussian>(setting.likelihood);
    if (!moves) continue;
    Approximation q = solve(setting);
    q.adjoint_shift.setZero();
    const auto gradient = evidence_gradient(q, setting.covariance, setting.table.X);
    EXPECT_GT(difference(gradient.covariance, covariance_differences(setting)), 10 * tolerance)
        << setting;
  }
}

TEST(EvidenceGradientMutants, AnErrorOfOneInAThousandBreaksTheLawOfTheLikelihood) {
  for (const Setting& setting : ep_zoo()) {
    if (parameter_values(setting.likelihood).size() == 0 || has_zero_rate(setting)) continue;
    const Vector wrong = 1.001 * solve(setting).likelihood_gradient;
    EXPECT_GT(difference(wrong, likelihood_differences(setting)), 10 * tolerance) << setting;
  }
}

}  // namespace
}  // namespace candor
