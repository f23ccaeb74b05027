// SPDX-License-Identifier: MIT
// From the last state of an iteration to what a caller reads off.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

namespace candor {

// Consumes the problem's posterior, refactoring it first if it stands elsewhere than `state`.
[[nodiscard]] Approximation finish(const EpProblem& problem, EpState state, Outcome outcome);

// Fills the sites of one copy, from those of whole rows, and the cavities by which labels are
// judged: without one copy of their row, or without the row where that is less than a copy.  Needs
// latent_mean, latent_variance and posterior.  Without negative sites no cavity is wider than the
// prior, whatever rounding says.  With them q may owe its properness to the row that is left out:
// twice as wide as the prior is then as far as a cavity goes.  Returns how many went further.
[[nodiscard]] Index fill_sites(const Observations& observations, const Sites& of_rows,
                               Approximation& approximation);

// Fills what the cavities determine: log_loo and p_wrong, of one label whatever the row's weight.
void judge_labels(const Likelihood& likelihood, const Observations& observations,
                  Approximation& approximation);

// Σ_i max(w_i, 1) ∂ log Z_i/∂(parameter) at fixed cavities: at a fixed point of EP, the whole
// derivative.
[[nodiscard]] Vector likelihood_gradient(const Likelihood& likelihood,
                                         const Observations& observations,
                                         const Approximation& approximation);

}  // namespace candor
