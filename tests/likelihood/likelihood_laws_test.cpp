// SPDX-License-Identifier: MIT
// The laws of likelihoods over a zoo that holds every alternative, and a mutant for each law.
#include "decision_laws.hpp"
#include "laws.hpp"
#include "zoo.hpp"

#include "tests/covariance/missing_alternatives.hpp"

#include <candor/likelihood/likelihood.hpp>

#include <gtest/gtest.h>

#include <set>

namespace candor::testing {
namespace {

class LikelihoodLaws : public ::testing::TestWithParam<Likelihood> {
 protected:
  template <class Law>
  static auto ask(const Law& law) {
    return std::visit(law, GetParam());
  }
};

TEST_P(LikelihoodLaws, IsNormalisedOverTargets) {
  EXPECT_TRUE(ask([](const auto& l) { return is_normalised(l); }));
}
TEST_P(LikelihoodLaws, IsSymmetricUnlessItsRatesDiffer) {
  const auto rates_differ = [](const auto& l) {
    if constexpr (requires { l.flip_positive; }) return l.flip_positive != l.flip_negative;
    return false;
  };
  EXPECT_EQ(bool{ask([](const auto& l) { return is_symmetric(l); })}, !ask(rates_differ));
}
TEST_P(LikelihoodLaws, DerivativesAgreeWithDifferences) {
  EXPECT_TRUE(ask([](const auto& l) { return derivatives_agree(l); }));
}
TEST_P(LikelihoodLaws, TiltedMomentsAgreeWithQuadrature) {
  EXPECT_TRUE(ask([](const auto& l) { return tilted_agrees_with_quadrature(l); }));
}
TEST_P(LikelihoodLaws, SiteTimesCavityHasTheTiltedMoments) {
  EXPECT_TRUE(ask([](const auto& l) { return site_completes_the_cavity(l); }));
}
TEST_P(LikelihoodLaws, LogZGradientAgreesWithDifferences) {
  EXPECT_TRUE(ask([](const auto& l) { return log_Z_gradient_agrees(l); }));
}
TEST_P(LikelihoodLaws, PWrongIsTheTiltedMassOfFlippedLabels) {
  EXPECT_TRUE(ask([](const auto& l) { return p_wrong_is_the_flipped_mass(l); }));
}
TEST_P(LikelihoodLaws, PredictionsAgreeWithLogZ) {
  EXPECT_TRUE(ask([](const auto& l) { return predict_agrees_with_log_Z(l); }));
}
TEST_P(LikelihoodLaws, ExtremeCavitiesGiveFiniteNumbers) {
  EXPECT_TRUE(ask([](const auto& l) { return extremes_are_finite(l); }));
}
TEST_P(LikelihoodLaws, DensityIsANumberEverywhere) {
  EXPECT_TRUE(ask([](const auto& l) { return density_is_a_number_everywhere(l); }));
}
TEST_P(LikelihoodLaws, ParametersRoundTrip) {
  EXPECT_TRUE(parameters_round_trip(GetParam(), with_parameter_values));
}
TEST_P(LikelihoodLaws, EveryParameterHasANameAndADomain) {
  const auto count = static_cast<std::size_t>(parameter_values(GetParam()).size());
  EXPECT_EQ(parameter_names(GetParam()).size(), count);
  EXPECT_EQ(parameter_domains(GetParam()).size(), count);
}

INSTANTIATE_TEST_SUITE_P(Zoo, LikelihoodLaws, ::testing::ValuesIn(zoo()), [](const auto& specimen) {
  return std::string(name_of(specimen.param)) + "_" + std::to_string(specimen.index);
});

std::vector<std::string> missing_from(const std::vector<Likelihood>& specimens) {
  std::set<std::size_t> seen;
  for (const Likelihood& l : specimens) seen.insert(l.index());
  return testing_support::missing_alternatives<Likelihood>(seen);
}

TEST(LikelihoodZoo, HoldsEveryAlternative) {
  EXPECT_EQ(missing_from(zoo()), std::vector<std::string>{})
      << "tests/likelihood/zoo.hpp lacks them";
}

TEST(LikelihoodZoo, IsFoundIncompleteWithoutProbit) {
  std::vector<Likelihood> mutant = zoo();
  std::erase(mutant, Likelihood{Probit{}});
  EXPECT_EQ(missing_from(mutant), std::vector<std::string>{"probit"});
}

// Each mutant is right but for one thing, which its law must find.
struct Unnormalised : Threshold {
  LogDensity log_density(const Observation& row, double f) const {
    LogDensity d = Threshold::log_density(row, f);
    d.value += 1e-9;
    return d;
  }
};
struct Lopsided : Threshold {
  LogDensity log_density(const Observation& row, double f) const {
    return Threshold::log_density(row, f + 1e-9);
  }
};
struct WrongThirdDerivative : Logistic {
  LogDensity log_density(const Observation& row, double f) const {
    LogDensity d = Logistic::log_density(row, f);
    d.d3 = -d.d3;
    return d;
  }
};
struct WrongVariance : Probit {
  Tilted tilted(const Observation& row, Moments cavity) const {
    Tilted t = Probit::tilted(row, cavity);
    t.moments.variance *= 1.0 + 1e-6;
    return t;
  }
};
struct WrongGradient : Threshold {  // forgets that a known rate is not learned
  Vector log_Z_gradient(const Observation& row, Moments cavity) const {
    return Threshold::log_Z_gradient({row.y}, cavity);
  }
};
struct PosteriorSide : Threshold {  // mass on the wrong side of 0, forgetting the latent noise
  double p_wrong(const Observation& row, Moments cavity) const {
    return Threshold{flip_probability, 0.0}.p_wrong(row, cavity);
  }
};
struct ForgetsFlips : Threshold {
  LabelProbabilities predict(Moments latent) const {
    LabelProbabilities p = Threshold::predict(latent);
    p.observed = p.clean;
    return p;
  }
};
struct Overflowing : Logistic {
  Tilted tilted(const Observation& row, Moments cavity) const {
    Tilted t = Logistic::tilted(row, cavity);
    t.log_Z = std::log(std::exp(t.log_Z));
    return t;
  }
  LogDensity log_density(const Observation& row, double f) const {
    LogDensity d = Logistic::log_density(row, f);
    d.d1 = row.y * (1.0 - std::exp(row.y * f) / (1.0 + std::exp(row.y * f)));
    return d;
  }
};

const Threshold robust{.flip_probability = 0.1, .noise_variance = 0.3};

TEST(LikelihoodMutants, AreFoundByTheirLaw) {
  EXPECT_FALSE(is_normalised(Unnormalised{robust}));
  EXPECT_FALSE(is_symmetric(Lopsided{robust}));
  EXPECT_FALSE(derivatives_agree(WrongThirdDerivative{}));
  EXPECT_FALSE(tilted_agrees_with_quadrature(WrongVariance{}));
  EXPECT_FALSE(site_completes_the_cavity(WrongVariance{}));
  EXPECT_FALSE(log_Z_gradient_agrees(WrongGradient{robust}));
  EXPECT_FALSE(p_wrong_is_the_flipped_mass(PosteriorSide{robust}));
  EXPECT_FALSE(predict_agrees_with_log_Z(ForgetsFlips{robust}));
  EXPECT_FALSE(extremes_are_finite(Overflowing{}));
  EXPECT_FALSE(density_is_a_number_everywhere(Overflowing{}));
}

TEST(LikelihoodMutants, AreFoundWhenValuesAreSetInAnotherOrderOrNotAtAll) {
  EXPECT_FALSE(parameters_round_trip(robust, [](const Likelihood& old, const Vector& values) {
    return with_parameter_values(old, Vector(values.reverse()));
  }));
  EXPECT_FALSE(
      parameters_round_trip(robust, [](const Likelihood& old, const Vector&) { return old; }));
}

}  // namespace
}  // namespace candor::testing
