// SPDX-License-Identifier: MIT
// Fixed points of EP by continuation: Newton's method along a path of problems, from one whose
// fixed point is easy to the one wanted.  Where a path folds, its branch of fixed points ends, and
// this says so instead of returning its last point.
#pragma once

#include <candor/inference/ep_state.hpp>

#include <optional>

namespace candor {

enum class Path {
  latent_noise,      // v₂ from the scale of the prior variance down to its value
  rates_from_above,  // label-error rates from 0.45 down to theirs
  rates_from_zero,   // label-error rates from 0, the log-concave problem, up to theirs
};

// A fixed point of the problem; nothing when the likelihood has no such path or the path breaks
// off.  `sweeps` counts the factorisations either way.
[[nodiscard]] std::optional<EpState> continued_ep(const EpProblem& problem, Path path,
                                                  double tolerance, int& sweeps);

}  // namespace candor
