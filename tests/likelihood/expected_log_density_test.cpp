// SPDX-License-Identifier: MIT
// Expectations of log p(y|f) under a normal: against brute force, against each other, at extremes.
#include "brute_force.hpp"
#include "zoo.hpp"

#include <candor/likelihood/expected_log_density.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

namespace candor::testing {
namespace {

using Ask = std::function<void(const Observation&, Moments)>;

// Over the rows that a likelihood can produce and whose expectation exists.
void for_all(const Likelihood& likelihood, const std::vector<Moments>& marginals, const Ask& ask) {
  const auto rows = std::visit([](const auto& l) { return rows_for(l); }, likelihood);
  for (const Observation& row : rows) {
    if (!has_expected_log_density(likelihood, row)) continue;
    for (const Moments& marginal : marginals) {
      SCOPED_TRACE(::testing::Message()
                   << name_of(likelihood) << ' ' << parameter_values(likelihood).transpose()
                   << ", y " << row.y << ", known rate " << row.known_flip_rate << ", mean "
                   << marginal.mean << ", variance " << marginal.variance);
      ask(row, marginal);
    }
  }
}

LogDensity log_density(const Likelihood& likelihood, const Observation& row, double f) {
  return std::visit([&](const auto& l) { return l.log_density(row, f); }, likelihood);
}

double scale_of(const Likelihood& likelihood) {
  return std::visit([](const auto& l) { return latent_scale(l); }, likelihood);
}

bool is_step(const Likelihood& likelihood) {
  return std::visit(
      [](const auto& l) {
        if constexpr (requires { l.noise_variance; }) return l.noise_variance == 0.0;
        return false;
      },
      likelihood);
}

struct Expectation {
  double value = 0.0;
  double size = 0.0;  // E|g|, roughly
  double ends = 0.0;  // |g| where the library stops looking
};

// Cut where log p bends or jumps and where the normal does.
Expectation brute_force(const std::function<double(double)>& g, Moments marginal, double scale) {
  const auto mass = [&](double f) { return std::exp(log_normal_density(f, marginal)); };
  const std::vector<double> cuts = pieces(marginal, marginal, scale);
  const double sd = std::sqrt(marginal.variance);
  const auto size_at = [&](double t) { return std::abs(g(marginal.mean + sd * t)); };
  Expectation e{.ends = size_at(-9.0) + size_at(9.0)};
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (!(cuts[i] < cuts[i + 1])) continue;
    e.value += integrate_between([&](double f) { return g(f) * mass(f); }, cuts[i], cuts[i + 1]);
  }
  constexpr double step = 0.05;
  for (double t = -6.0; t < 6.0; t += step) {
    e.size += step * size_at(t) * std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi);
  }
  for (double x = -10.0; x < 10.0; x += step) {  // a kink that fell between these
    e.size += step * scale * std::abs(g(x * scale)) * mass(x * scale);
  }
  return e;
}

// Both sides round each of some thousand terms, and f to 1e-16 of the mean, which may be 1e3
// standard deviations; beyond nine of these is a mass of 2e-19, on which |g| may still grow tenfold.
void expect_agreement(double got, const Expectation& want, const char* what) {
  const double size = std::max(want.size, std::abs(want.value));
  EXPECT_NEAR(got, want.value, 1e-11 * size + 1e-17 * want.ends + 1e-300) << what;
}

class ExpectedLogDensityOf : public ::testing::TestWithParam<Likelihood> {};

TEST_P(ExpectedLogDensityOf, ARowIsThatOfBruteForce) {
  const Likelihood& likelihood = GetParam();
  for_all(likelihood, cavities(), [&](const Observation& row, Moments marginal) {
    const ExpectedLogDensity e = expected_log_density(likelihood, row, marginal);
    const auto of = [&](double LogDensity::*member) {
      const auto g = [&](double f) { return log_density(likelihood, row, f).*member; };
      return brute_force(g, marginal, scale_of(likelihood));
    };
    expect_agreement(e.value, of(&LogDensity::value), "value");
    if (is_step(likelihood)) return;  // whose derivatives are 0 but at one point
    expect_agreement(e.d1, of(&LogDensity::d1), "d1");
    expect_agreement(e.d2, of(&LogDensity::d2), "d2");
  });
}

// ∂/∂m and 2 ∂/∂v, also of a step.  Steps of a hundredth of the shorter of two scales leave a
// truncation of 1e-8 and a rounding of 1e-13 of the size of log p, against which both are judged.
TEST_P(ExpectedLogDensityOf, ARowHasTheDerivativesOfItself) {
  const Likelihood& likelihood = GetParam();
  for_all(likelihood, cavities(), [&](const Observation& row, Moments marginal) {
    const auto [m, v] = marginal;
    const auto value = [&](double mean, double variance) {
      return expected_log_density(likelihood, row, {mean, variance}).value;
    };
    const ExpectedLogDensity e = expected_log_density(likelihood, row, marginal);
    const double size = 1.0 + std::abs(e.value);
    const double h = 1e-2 * std::sqrt(v + scale_of(likelihood) * scale_of(likelihood));
    const double by_mean = derivative([&](double x) { return value(x, v); }, m, h);
    EXPECT_NEAR(e.d1 * h, by_mean * h, 1e-8 * size);
    const double k = std::min(h * h, 1e-2 * v);
    const double by_variance = derivative([&](double x) { return value(m, x); }, v, k);
    EXPECT_NEAR(e.d2 * k, 2.0 * by_variance * k, 1e-8 * size);
  });
}

TEST_P(ExpectedLogDensityOf, ARowHasTheGradientOfDifferences) {
  const Likelihood& likelihood = GetParam();
  const Vector values = parameter_values(likelihood);
  const auto domains = parameter_domains(likelihood);
  for_all(likelihood, cavities(), [&](const Observation& row, Moments marginal) {
    const Vector gradient = expected_log_density_gradient(likelihood, row, marginal);
    ASSERT_EQ(gradient.size(), values.size());
    for (Index p = 0; p < values.size(); ++p) {
      if (values[p] < 1e-6) continue;  // no neighbours to take a difference with
      const bool is_rate = domains[static_cast<std::size_t>(p)] == LikelihoodDomain::rate;
      const double by_differences = derivative(
          [&](double step) {
            Vector moved = values;
            moved[p] = is_rate ? values[p] + step : values[p] * std::exp(step);
            return expected_log_density(with_parameter_values(likelihood, moved), row, marginal)
                .value;
          },
          0.0, 1e-3);
      // h⁴ times a fifth derivative, at most some 1/ε⁵ with ε = 0.03; rounding 1e-16/h.
      EXPECT_NEAR(gradient[p], by_differences, 1e-6 * (1.0 + std::abs(gradient[p])));
    }
  });
}

TEST_P(ExpectedLogDensityOf, ARowIsFiniteAtExtremes) {
  const Likelihood& likelihood = GetParam();
  for_all(likelihood, extreme_cavities(), [&](const Observation& row, Moments marginal) {
    const ExpectedLogDensity e = expected_log_density(likelihood, row, marginal);
    EXPECT_TRUE(std::isfinite(e.value));
    EXPECT_TRUE(std::isfinite(e.d1));
    EXPECT_TRUE(std::isfinite(e.d2));
    EXPECT_TRUE(expected_log_density_gradient(likelihood, row, marginal).allFinite());
    if (std::holds_alternative<Gaussian>(likelihood)) return;
    EXPECT_LE(e.value, 0.0);
    EXPECT_GE(row.y * e.d1, 0.0);  // what favours a label makes it more probable
  });
}

INSTANTIATE_TEST_SUITE_P(Zoo, ExpectedLogDensityOf, ::testing::ValuesIn(zoo()),
                         [](const auto& specimen) {
                           return std::string(name_of(specimen.param)) + "_" +
                                  std::to_string(specimen.index);
                         });

// The kink is 1e-12 as wide as the normal, and moves by about as much; quadrature adds 1e-11.
TEST(ExpectedLogDensities, OfASteepStepTendToThatOfAPureOne) {
  for (const double rate : {1e-9, 0.1}) {
    const auto at = [&](double noise_variance) {
      return expected_log_density(Threshold{rate, noise_variance}, {.y = -1.0}, {0.3, 1.0});
    };
    const ExpectedLogDensity steep = at(1e-24), pure = at(0.0);
    EXPECT_NEAR(steep.value, pure.value, 1e-10) << rate;
    EXPECT_NEAR(steep.d1, pure.d1, 1e-10) << rate;
    EXPECT_NEAR(steep.d2, pure.d2, 1e-10) << rate;
  }
}

// log Φ(z) → -½z² - log|z| - ..., so that without label errors a steep step is nearly quadratic on
// its wrong side: E[log p] v₂ → -½ E[x²; x < 0], half of ½ (m = 0, v = 1).
TEST(ExpectedLogDensities, OfASteepStepWithoutErrorsAreHalfAQuadratic) {
  constexpr double noise = 1e-12;
  const ExpectedLogDensity e = expected_log_density(Threshold{0.0, noise}, {.y = 1.0}, {0.0, 1.0});
  EXPECT_NEAR(e.value * noise, -0.25, 1e-10);  // the logarithm is worth v₂ log(1/v₂)
  EXPECT_NEAR(e.d2 * noise, -0.5, 1e-5);       // and near the kink √v₂
}

TEST(ExpectedLogDensities, DoNotExistForAStepThatCannotBeWrong) {
  EXPECT_FALSE(has_expected_log_density(Threshold{0.0, 0.0}, {.y = 1.0}));
  EXPECT_FALSE(has_expected_log_density(Threshold{0.1, 0.0}, {.y = 1.0, .known_flip_rate = 0.0}));
  EXPECT_TRUE(has_expected_log_density(Threshold{0.1, 0.0}, {.y = 1.0}));
  EXPECT_TRUE(has_expected_log_density(Threshold{0.0, 1e-9}, {.y = 1.0}));
  // A true -1 is never recorded as +1, so that a +1 cannot be wrong, and a -1 can.
  const AsymmetricThreshold one_way{.flip_positive = 0.1, .noise_variance = 0.0};
  EXPECT_FALSE(has_expected_log_density(one_way, {.y = 1.0}));
  EXPECT_TRUE(has_expected_log_density(one_way, {.y = -1.0}));
}

// The mutants of the law of brute force: the value at the mean, and a variance a little too large.
TEST(ExpectedLogDensityMutants, AreFarFromBruteForce) {
  const Threshold likelihood{0.1, 0.3};
  const Observation row{.y = 1.0};
  const Moments marginal{-0.3, 4.0};
  const auto g = [&](double f) { return likelihood.log_density(row, f).value; };
  const Expectation truth = brute_force(g, marginal, scale_of(likelihood));
  EXPECT_GT(std::abs(g(marginal.mean) - truth.value), 1e-3 * truth.size);
  const ExpectedLogDensity wider = expected_log_density(likelihood, row, {-0.3, 4.0001});
  EXPECT_GT(std::abs(wider.value - truth.value), 1e-8 * truth.size);
}

}  // namespace
}  // namespace candor::testing
