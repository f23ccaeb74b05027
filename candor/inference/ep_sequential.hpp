// SPDX-License-Identifier: MIT
// Sequential expectation propagation, the loop of [M01] and [KG08]: each site in turn is matched to
// its tilted moments and q is updated by a rank-one change before the next is visited.  One sweep
// without damping is assumed-density filtering.
//
// Rank-one updates are gathered into blocks, so that a sweep is n³ of matrix products; q is rebuilt
// from the sites after each sweep, because n updates lose digits.
#pragma once

#include <candor/inference/ep_parallel.hpp>
#include <candor/inference/ep_state.hpp>

namespace candor {

// `damping` is the share of each site's change that is made, in (0, 1].  A site whose cavity is
// improper, or whose change would make q so, is skipped; a sweep with a skip is never converged.
[[nodiscard]] EpRun sequential_ep(const EpProblem& problem, EpState start, double damping,
                                  double tolerance, int max_sweeps);

}  // namespace candor
