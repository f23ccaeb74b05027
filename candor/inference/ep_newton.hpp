// SPDX-License-Identifier: MIT
// Newton's method on EP's fixed-point equations.
//
// Where the update map has an eigenvalue with real part above 1, no damping converges, though the
// fixed point exists; Newton's method does not care, and elsewhere it gains the last digits in two
// or three steps.  Its linear systems are solved by GMRES with products of O(n²), so that a step
// costs one sweep, one n³/3 for the posterior covariance, and n² memory.
#pragma once

#include <candor/inference/ep_state.hpp>

#include <optional>

namespace candor {

// What makes a step worth taking.
struct NewtonSearch {
  double shortest = 0.015;  // of the whole step, which is halved until it pays
  double fall = 1e-4;       // of the distance to the target sites, all together, times the step
};

// One step; empty when none pays.  `sweeps` counts factorisations.
[[nodiscard]] std::optional<EpState> newton_step(const EpProblem& problem, const EpState& state,
                                                 const NewtonSearch& search, int& sweeps);

// Steps until the residual is within tolerance; empty when they do not get there.
[[nodiscard]] std::optional<EpState> newton_ep(const EpProblem& problem, EpState start,
                                               double tolerance, int max_steps, int& sweeps);

}  // namespace candor
