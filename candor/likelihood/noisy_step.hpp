// SPDX-License-Identifier: MIT
// The likelihoods that are a noisy step, p(y | f) = wrong Φ(-y f/√v₂) + (1 - missed) Φ(y f/√v₂):
// the threshold family, and probit with v₂ = 1 and no flips.
#pragma once

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/probit.hpp>
#include <candor/likelihood/site.hpp>

#include <type_traits>

namespace candor {

template <class L>
concept IsNoisyStep = std::is_same_v<L, Probit> || requires(const L& l) {
  l.step(Observation{});
};

template <IsNoisyStep L>
[[nodiscard]] FlippedStep step_of(const L& likelihood, const Observation& row) {
  if constexpr (requires { likelihood.step(row); }) return likelihood.step(row);
  return {};
}

template <IsNoisyStep L>
[[nodiscard]] double noise_of(const L& likelihood) {
  if constexpr (requires { likelihood.noise_variance; }) return likelihood.noise_variance;
  return 1.0;
}

}  // namespace candor
