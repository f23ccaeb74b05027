// SPDX-License-Identifier: MIT
// From the last state of an EP iteration to what a caller reads off.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

namespace candor {

// Consumes the problem's posterior, refactoring it first if it stands elsewhere than `state`.
[[nodiscard]] Approximation finish(const EpProblem& problem, EpState state, Outcome outcome);

// Fills what the cavities determine: log_loo and p_wrong, of one label whatever the row's weight.
void judge_labels(const Likelihood& likelihood, const Observations& observations,
                  Approximation& approximation);

// Σ_i max(w_i, 1) ∂ log Z_i/∂(parameter) at fixed cavities: at a fixed point of EP, the whole
// derivative.
[[nodiscard]] Vector likelihood_gradient(const Likelihood& likelihood,
                                         const Observations& observations,
                                         const Approximation& approximation);

}  // namespace candor
