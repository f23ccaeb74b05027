// SPDX-License-Identifier: MIT
// What every likelihood must satisfy.  Each law is a predicate, so that the suite can ask it of the
// zoo and of a deliberately wrong likelihood.
#pragma once

#include "brute_force.hpp"
#include "zoo.hpp"

#include <candor/linalg/types.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

namespace candor::testing {

inline ::testing::AssertionResult near(double actual, double expected, double tolerance,
                                       const char* what) {
  if (std::abs(actual - expected) <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << what << ": " << actual << " is not " << expected << " within " << tolerance;
}

// Runs `law(row, x)` over rows × values and stops at the first failure, saying where.
template <class L, class Values, class Law>
::testing::AssertionResult for_all(const L& l, const Values& values, const Law& law) {
  for (const Observation& row : rows_for(l))
    for (const auto& value : values)
      if (::testing::AssertionResult result = law(row, value); !result)
        return result << " [" << L::name << ", y " << row.y << ", known rate "
                      << row.known_flip_rate << "]";
  return ::testing::AssertionSuccess();
}

// f at multiples of the latent scale, never at the jump of a step.
template <class L>
std::array<double, 8> latent_values(const L& l) {
  const double s = latent_scale(l);
  return {-9.0 * s, -2.7 * s, -s, -0.3 * s, 0.2 * s, 1.1 * s, 3.0 * s, 8.0 * s};
}

// Σ_y p(y|f) = 1, or ∫ p(y|f) dy = 1 for real targets.
template <class L>
::testing::AssertionResult is_normalised(const L& l) {
  return for_all(l, latent_values(l), [&](Observation row, double f) {
    const auto density = [&](double y) {
      return std::exp(l.log_density({y, row.known_flip_rate}, f).value);
    };
    if constexpr (is_classifier<L>) return near(density(1.0) + density(-1.0), 1.0, 1e-14, "sum");
    const double wide = 12.0 * latent_scale(l);  // the mass outside is below 1e-30
    return near(integrate_between(density, f - wide, f + wide), 1.0, 1e-11, "integral");
  });
}

// p(-y|-f) = p(y|f), with odd derivatives changing sign.  1e-15 of the size: the same operations.
template <class L>
::testing::AssertionResult is_symmetric(const L& l) {
  return for_all(l, latent_values(l), [&](Observation row, double f) {
    const LogDensity a = l.log_density(row, f);
    const LogDensity b = l.log_density({-row.y, row.known_flip_rate}, -f);
    const auto same = [](double x, double y) {
      return x == y || std::abs(x - y) <= 1e-15 * std::abs(x);
    };
    if (same(a.value, b.value) && same(a.d1, -b.d1) && same(a.d2, b.d2) && same(a.d3, -b.d3))
      return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "asymmetric at f = " << f;
  });
}

// With h = 1e-2 scales the O(h⁴) error of the differences is up to 1e-7 in units of the scale,
// times the size of the values nearby.  A label that a step forbids has log p = -∞ and no
// derivative.
template <class L>
::testing::AssertionResult derivatives_agree(const L& l) {
  const double s = latent_scale(l);
  return for_all(l, latent_values(l), [&](Observation row, double f) {
    const LogDensity at = l.log_density(row, f);
    if (std::isinf(at.value)) return ::testing::AssertionSuccess();
    const auto agrees = [&](double LogDensity::*of, double exact, double power, const char* what) {
      const auto curve = [&](double x) { return l.log_density(row, x).*of; };
      const double size = std::abs(curve(f)) * std::pow(s, power) + 1.0;
      const double unit = std::pow(s, power + 1.0);
      return near(unit * derivative(curve, f, 1e-2 * s), unit * exact, 1e-7 * size, what);
    };
    if (auto ok = agrees(&LogDensity::value, at.d1, 0.0, "d1"); !ok) return ok;
    if (auto ok = agrees(&LogDensity::d1, at.d2, 1.0, "d2"); !ok) return ok;
    return agrees(&LogDensity::d2, at.d3, 2.0, "d3");
  });
}

// The exponent log p + log N - log Z is rounded at 1e-16 of its terms, which reach 2e6 here.
template <class L>
::testing::AssertionResult tilted_agrees_with_quadrature(const L& l) {
  return for_all(l, cavities(), [&](Observation row, Moments cavity) {
    const Tilted tilted = l.tilted(row, cavity);
    const auto log_p = [&](double f) { return l.log_density(row, f).value; };
    const auto moment = [&](auto g) {
      return tilted_expectation(g, log_p, cavity, tilted, latent_scale(l));
    };
    const double mass = moment([](double) { return 1.0; });
    const double rounding = 1e-10 + 1e-15 * std::abs(tilted.log_Z);
    if (auto ok = near(std::log(mass), 0.0, rounding, "log Z"); !ok) return ok;
    const double mean = tilted.moments.mean;
    const double sd = std::sqrt(tilted.moments.variance);
    const double mean_error = moment([&](double f) { return (f - mean) / sd; });
    if (auto ok = near(mean_error, 0.0, 1e-9, "mean, in sd"); !ok) return ok;
    const auto square = [&](double f) { return (f - mean) / sd * ((f - mean) / sd); };
    return near(moment(square), 1.0, 1e-9, "variance ratio");
  });
}

// cavity × site has the tilted moments.  Where the label says almost nothing, or everything, one of
// the two precisions is the small difference of the others: hence 1e-10 of the larger.
template <class L>
::testing::AssertionResult site_completes_the_cavity(const L& l) {
  return for_all(l, cavities(), [&](Observation row, Moments cavity) {
    const Tilted tilted = l.tilted(row, cavity);
    const Natural q = to_natural(cavity) * tilted.site;
    const Natural target = to_natural(tilted.moments);
    if (auto ok = near(q.tau / target.tau, 1.0, 1e-10, "precision ratio"); !ok) return ok;
    const double size = std::abs(target.nu) + std::abs(tilted.site.nu) + std::sqrt(target.tau);
    return near(q.nu / size, target.nu / size, 1e-10, "precision × mean");
  });
}

// Differences in each parameter, in its own coordinate: log x, or the rate, from the right at 0.
template <class L>
::testing::AssertionResult log_Z_gradient_agrees(const L& l) {
  return for_all(l, cavities(), [&](Observation row, Moments cavity) {
    const Vector gradient = l.log_Z_gradient(row, cavity);
    auto result = ::testing::AssertionSuccess();
    Index i = 0;
    const auto compare = [&](const auto& p) {
      const double exact = gradient[i++];
      const double x = l.*(p.member);
      const bool is_log = p.domain == LikelihoodDomain::positive;
      const auto log_Z = [&](double at) {
        L changed = l;
        changed.*(p.member) = is_log ? x * std::exp(at) : at;
        return changed.tilted(row, cavity).log_Z;
      };
      // A rate far smaller than the step changes log Z on its own scale: too rough for differences.
      if (!is_log && x < 1e-6 && std::abs(exact) > 1e3) return;
      const double numeric = is_log     ? derivative(log_Z, 0.0, 1e-2)
                             : x < 1e-3 ? right_derivative(log_Z, x, 1e-5)
                                        : derivative(log_Z, x, 1e-3);
      const double tolerance = (is_log || x >= 1e-3 ? 1e-7 : 1e-4) * (1.0 + std::abs(exact));
      if (result) result = near(exact, numeric, tolerance, p.name.data());
    };
    std::apply([&](const auto&... p) { (compare(p), ...); }, l.parameters());
    return result;
  });
}

// `set` with the values read changes nothing, and other values are read as they were set.
inline ::testing::AssertionResult parameters_round_trip(
    const Likelihood& l, const std::function<Likelihood(const Likelihood&, const Vector&)>& set) {
  const Vector values = parameter_values(l);
  if (set(l, values) != l) return ::testing::AssertionFailure() << "not the same with its values";
  const Vector others = (0.5 * values).array() + 0.01;  // in the domain of each
  const Vector read = parameter_values(set(l, others));
  if (read == others) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "set " << others.transpose() << ", read " << read.transpose();
}

}  // namespace candor::testing
