// SPDX-License-Identifier: MIT
// The laws about what a user reads off: probabilities of labels and of mistakes.
#pragma once

#include "laws.hpp"

#include <boost/math/special_functions/erf.hpp>

namespace candor::testing {

// This row's chance that a true -y is recorded as y, written out again.
template <class L>
double flip_rate(const L& l, const Observation& row) {
  if constexpr (!has_flips<L>) return 0.0;
  if (!std::isnan(row.known_flip_rate)) return row.known_flip_rate;
  if constexpr (requires { l.flip_probability; }) return l.flip_probability;
  if constexpr (requires { l.flip_negative; })
    return row.y > 0.0 ? l.flip_negative : l.flip_positive;
  return 0.0;
}

// p_wrong is the tilted mass of "the true label was the other one".  A probability: absolute
// tolerance.
template <class L>
::testing::AssertionResult p_wrong_is_the_flipped_mass(const L& l) {
  return for_all(l, cavities(), [&](Observation row, Moments cavity) {
    const double rate = flip_rate(l, row);
    if (rate == 0.0) return near(l.p_wrong(row, cavity), 0.0, 0.0, "p_wrong");
    const auto log_flipped = [&](double f) {
      if constexpr (requires { l.noise_variance; }) {
        if (l.noise_variance == 0.0)
          return row.y * f < 0.0 ? std::log(rate) : -std::numeric_limits<double>::infinity();
        const double t = row.y * f / std::sqrt(2.0 * l.noise_variance);
        return std::log(0.5 * rate * boost::math::erfc(t));
      }
      return 0.0;
    };
    const auto one = [](double) { return 1.0; };
    const double mass =
        tilted_expectation(one, log_flipped, cavity, l.tilted(row, cavity), latent_scale(l));
    return near(l.p_wrong(row, cavity), mass, 1e-10, "p_wrong");
  });
}

// observed is Z of a new row with label +1 (or of a positive target); the other two lie in order.
template <class L>
::testing::AssertionResult predict_agrees_with_log_Z(const L& l) {
  for (const Moments& latent : cavities()) {
    const LabelProbabilities p = l.predict(latent);
    const auto Z = [&](double y) { return std::exp(l.tilted(Observation{y}, latent).log_Z); };
    double positive = 0.0;
    if constexpr (is_classifier<L>) {
      positive = Z(1.0);
    } else {
      const double wide = 12.0 * std::sqrt(latent.variance + l.noise_variance);
      const double high = std::max(0.0, latent.mean + wide);
      const double low = std::max(0.0, latent.mean - wide);
      positive = integrate_between(Z, low, high);
    }
    if (auto ok = near(p.observed, positive, 1e-11, "observed"); !ok) return ok;
    // Noise and flips only blur: each probability is nearer to ½ than the one before or equal.
    const double slack = 1e-12;
    if (std::abs(p.clean - 0.5) > std::abs(p.sign - 0.5) + slack)
      return ::testing::AssertionFailure() << "clean is surer than sign at mean " << latent.mean;
  }
  return ::testing::AssertionSuccess();
}

inline bool all_finite(const Tilted& t) {
  return std::isfinite(t.log_Z) && std::isfinite(t.site.tau) && std::isfinite(t.site.nu) &&
         std::isfinite(t.moments.mean) && std::isfinite(t.moments.variance) &&
         t.moments.variance > 0.0;
}

template <class L>
::testing::AssertionResult extremes_are_finite(const L& l) {
  return for_all(l, extreme_cavities(), [&](Observation row, Moments cavity) {
    const auto failure = [&](const char* what) {
      return ::testing::AssertionFailure()
             << what << " at mean " << cavity.mean << ", variance " << cavity.variance;
    };
    if (!all_finite(l.tilted(row, cavity))) return failure("tilted is not finite");
    if (!l.log_Z_gradient(row, cavity).allFinite()) return failure("gradient is not finite");
    const double p_wrong = l.p_wrong(row, cavity);
    if (!(p_wrong >= 0.0 && p_wrong <= 1.0)) return failure("p_wrong is no probability");
    for (const Moments& latent : {cavity, Moments{cavity.mean, 0.0}}) {
      const LabelProbabilities p = l.predict(latent);
      for (const double x : {p.sign, p.clean, p.observed})
        if (!(x >= 0.0 && x <= 1.0)) return failure("predict gives no probability");
    }
    return ::testing::AssertionSuccess();
  });
}

// No NaN at any latent value, however far; log p itself may be -∞ only for a step that forbids y.
template <class L>
::testing::AssertionResult density_is_a_number_everywhere(const L& l) {
  const std::array<double, 7> far{-1e150, -1e6, -40.0, 0.0, 40.0, 1e6, 1e150};
  return for_all(l, far, [&](Observation row, double f) {
    const LogDensity d = l.log_density(row, f);
    for (const double x : {d.value, d.d1, d.d2, d.d3})
      if (std::isnan(x)) return ::testing::AssertionFailure() << "NaN at f = " << f;
    return ::testing::AssertionSuccess();
  });
}

}  // namespace candor::testing
