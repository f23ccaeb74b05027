// SPDX-License-Identifier: MIT
// Rows that count for less than one: p(y|f)^w against brute force, against p itself, and at
// extremes.
#include "decision_laws.hpp"
#include "laws.hpp"
#include "zoo.hpp"

#include <candor/likelihood/powered_site.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <string>

namespace candor::testing {
namespace {

// p^w in the clothes of a likelihood, so that the laws of likelihoods may be asked of it.
template <class L>
struct Powered : L {
  double power = 1.0;

  LogDensity log_density(const Observation& row, double f) const {
    const LogDensity p = L::log_density(row, f);
    return {power * p.value, power * p.d1, power * p.d2, power * p.d3};
  }
  Tilted tilted(const Observation& row, Moments cavity) const {
    return powered_tilted(static_cast<const L&>(*this), row, power, cavity);
  }
  Vector log_Z_gradient(const Observation& row, Moments cavity) const {
    return powered_log_Z_gradient(static_cast<const L&>(*this), row, power, cavity);
  }
};

template <class Law>
void ask_of_powers(const Likelihood& likelihood, std::initializer_list<double> powers,
                   const Law& law) {
  for (const double power : powers) {
    std::visit(
        [&]<class L>(const L& l) {
          EXPECT_TRUE(law(Powered<L>{{l}, power})) << power;
        },
        likelihood);
  }
}

class PoweredSite : public ::testing::TestWithParam<Likelihood> {};

TEST_P(PoweredSite, HasTheMomentsOfBruteForce) {
  ask_of_powers(GetParam(), {0.02, 0.6},
                [](const auto& l) { return tilted_agrees_with_quadrature(l); });
}

TEST_P(PoweredSite, CompletesTheCavity) {
  ask_of_powers(GetParam(), {1e-6, 0.6},
                [](const auto& l) { return site_completes_the_cavity(l); });
}

bool has_rate_near_zero(const Likelihood& likelihood) {
  const Vector values = parameter_values(likelihood);
  const auto domains = parameter_domains(likelihood);
  for (Index i = 0; i < values.size(); ++i)
    if (domains[static_cast<std::size_t>(i)] == LikelihoodDomain::rate && values[i] < 1e-6)
      return true;
  return false;
}

// ε^w has no derivative at ε = 0, and no difference quotient that is of use next to it.
TEST_P(PoweredSite, HasTheGradientOfDifferences) {
  if (has_rate_near_zero(GetParam())) return;
  ask_of_powers(GetParam(), {0.05, 0.6}, [](const auto& l) { return log_Z_gradient_agrees(l); });
}

TEST_P(PoweredSite, IsFiniteAtExtremeCavities) {
  ask_of_powers(GetParam(), {1e-6, 0.5}, [](const auto& l) { return extremes_are_finite(l); });
}

// At w = 1 two ways to one answer, right to 1e-12 each; ν and the mean in units of the tilted
// density, whose mean may be 1e3 times its width.
TEST_P(PoweredSite, OfWeightOneIsTheLikelihoodsOwn) {
  std::visit(
      [&](const auto& l) {
        const auto agree = [&](Observation row, Moments cavity) {
          const Tilted own = l.tilted(row, cavity);
          const Tilted other = powered_tilted(GetParam(), row, 1.0, cavity);
          const double variance = own.moments.variance, sd = std::sqrt(variance);
          const double d_tau = (other.site.tau - own.site.tau) * variance;
          const double d_nu = (other.site.nu - own.site.nu) * sd;
          if (auto ok = near(other.log_Z, own.log_Z, 1e-12 * (1.0 - own.log_Z), "log Z"); !ok)
            return ok;
          if (auto ok = near(d_tau, 0.0, 1e-11, "tau"); !ok) return ok;
          return near(d_nu, 0.0, 1e-11 * (1.0 + std::abs(own.moments.mean) / sd), "nu");
        };
        EXPECT_TRUE(for_all(l, cavities(), agree));
      },
      GetParam());
}

INSTANTIATE_TEST_SUITE_P(Zoo, PoweredSite, ::testing::ValuesIn(zoo()), [](const auto& specimen) {
  return std::string(name_of(specimen.param)) + "_" + std::to_string(specimen.index);
});

// To first order in w: log Z = w E[log p] under the cavity.  The second order is w² Var[log p]/2.
TEST(PoweredSites, OfATinyWeightAreOfItsSize) {
  constexpr double w = 1e-9;
  const Probit probit;
  const Tilted t = powered_tilted(probit, {.y = 1.0}, w, {-0.5, 2.0});
  const auto log_p = [&](double f) { return probit.log_density({.y = 1.0}, f).value; };
  const auto expected = [&](auto g) {
    const auto density = [&](double f) { return std::exp(log_normal_density(f, {-0.5, 2.0})); };
    return integrate_between([&](double f) { return g(f) * density(f); }, -20.0, 20.0);
  };
  EXPECT_NEAR(t.log_Z / w, expected(log_p), 1e-6);  // rounding of log Z by 1e-16
  EXPECT_NEAR(t.site.tau / w, expected([&](double f) { return -probit.log_density({}, f).d2; }),
              1e-8);
}

// The step to a power moves by about √v₂, here 1e-12 of the cavity's width.
TEST(PoweredSites, OfASteepStepTendToThoseOfAPureOne) {
  for (const double rate : {0.0, 1e-9, 0.1}) {
    const auto site = [&](double noise_variance) {
      return powered_tilted(Threshold{rate, noise_variance}, {.y = -1.0}, 0.4, {0.3, 1.0});
    };
    const Tilted steep = site(1e-24), pure = site(0.0);
    EXPECT_NEAR(steep.log_Z, pure.log_Z, 1e-10) << rate;
    EXPECT_NEAR(steep.site.tau, pure.site.tau, 1e-10) << rate;
    EXPECT_NEAR(steep.site.nu, pure.site.nu, 1e-10) << rate;
  }
}

// The mutants: a weight that is forgotten in the site, or in the gradient.
struct ForgetsTheWeight : Powered<Threshold> {
  Tilted tilted(const Observation& row, Moments cavity) const {
    return Threshold::tilted(row, cavity);
  }
  Vector log_Z_gradient(const Observation& row, Moments cavity) const {
    return Powered::log_Z_gradient(row, cavity) / power;
  }
};

TEST(PoweredSiteMutants, AreFoundByTheirLaw) {
  const ForgetsTheWeight mutant{{{.flip_probability = 0.1, .noise_variance = 0.3}, 0.9}};
  EXPECT_FALSE(tilted_agrees_with_quadrature(mutant));
  EXPECT_FALSE(log_Z_gradient_agrees(mutant));
}

}  // namespace
}  // namespace candor::testing
