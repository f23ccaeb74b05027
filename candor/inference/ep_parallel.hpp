// SPDX-License-Identifier: MIT
// Parallel expectation propagation: every sweep moves all sites at once towards their targets, by a
// step that is shortened until q and its cavities stay proper, and that adapts to the residual.
// Anderson's acceleration shortens the way, and Newton's method takes the last steps.
#pragma once

#include <candor/inference/ep_state.hpp>

namespace candor {

// How far a schedule of updates got.
struct EpRun {
  EpState state;   // the last whose cavities are all proper
  EpState best{};  // of those, the one with the smallest residual
  bool converged = false;
  int sweeps = 0;
  Index skipped_sites = 0;
};

[[nodiscard]] EpRun parallel_ep(const EpProblem& problem, EpState start, double tolerance,
                                int max_sweeps);

}  // namespace candor
