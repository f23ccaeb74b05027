// SPDX-License-Identifier: MIT
// Where log p(y | f) bends as a function of x = y f, and how sharply: what a quadrature of it against
// a normal must know.  Panels that start next to a bend, and grow with the distance from it, hold a
// function that a few nodes integrate to rounding error, be the bend wide or a kink.
#pragma once

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/noisy_step.hpp>
#include <candor/likelihood/site.hpp>

#include <array>

namespace candor {

// A place on the line next to which log p has a singularity, at this distance in the complex plane.
struct Bend {
  double at, distance;

  // From a place this far from the bend on, away from it, thirty nodes of Gauss and Legendre
  // integrate over such a length to rounding error.
  [[nodiscard]] double longest_panel(double gap) const { return 3.0 * distance + 5.0 * gap; }
};

// The soft step moves where log p steps by about √v₂: below this share of v, by less than rounding.
template <IsNoisyStep L>
[[nodiscard]] bool is_pure_step(const L& likelihood, Moments cavity) {
  constexpr double negligible_noise = 1e-34;
  return noise_of(likelihood) <= negligible_noise * cavity.variance;
}

// In order from left to right, the same one twice where there is one only.  v₂ > 0.
[[nodiscard]] std::array<Bend, 2> bends_of(const Logistic& likelihood, const Observation& row);
[[nodiscard]] std::array<Bend, 2> bends_of(const FlippedStep& step, double noise_variance);

template <IsNoisyStep L>
[[nodiscard]] std::array<Bend, 2> bends_of(const L& likelihood, const Observation& row) {
  return bends_of(step_of(likelihood, row), noise_of(likelihood));
}

}  // namespace candor
