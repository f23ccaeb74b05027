// SPDX-License-Identifier: MIT
// The shared steps of expectation propagation: from sites to q, its cavities, and the sites that
// match the tilted moments.  A fixed point is where those are the sites one came from.
//
//   cavity_i = q(f_i)/site_i,   tilted_i ∝ p(y_i|f_i) cavity_i,   site_i ← proj[tilted_i]/cavity_i
//                                                      [M01, §3.2], [RW06, eqs. 3.56, 3.59]
//
// with p(y_i|f_i)^w in place of p for a row of weight w < 1.
#pragma once

#include <candor/inference/site_posterior.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/types.hpp>

#include <optional>

namespace candor {

// Natural parameters of the sites, per unit of weight: q holds w times these, and the cavity leaves
// out min(w, 1) times these, one copy of a row or the whole of a row that counts for less.
struct Sites {
  Vector tau;
  Vector nu;

  static Sites zero(Index n) { return {Vector::Zero(n), Vector::Zero(n)}; }
};
[[nodiscard]] Sites between(const Sites& from, const Sites& to, double step);

// What does not change while EP runs.
struct EpProblem {
  const Likelihood& likelihood;
  const Observations& observations;
  SitePosterior& posterior;
};

// Where an iteration stands.
struct EpState {
  Sites sites{};
  Vector alpha{};
  Vector mean{};      // of q
  Vector variance{};  // of q
  Vector cavity_tau{};
  Vector cavity_nu{};
  Sites target{};         // the sites that match the tilted moments
  Vector log_Z{};         // of the tilted densities
  Index improper = 0;     // cavities without a positive precision: their targets are their sites
  double residual = 0.0;  // max over rows of w |Δτ| A_ii and w |Δν| √A_ii

  [[nodiscard]] bool is_fixed_point(double tolerance) const {
    return improper == 0 && residual <= tolerance;
  }
};

// Factors the posterior for these sites: one sweep of O(n³).  Empty when q is improper.
[[nodiscard]] std::optional<EpState> evaluate(const EpProblem& problem, Sites sites);

// The state without any site: q is the prior, and nothing needs factoring.
[[nodiscard]] EpState at_prior(const EpProblem& problem);

// The state of guessed sites, where there is a guess and it is of use; otherwise at_prior.
[[nodiscard]] EpState first_state(const EpProblem& problem, const std::optional<Sites>& guess,
                                  int& sweeps);

// log Z_EP = -½ log|I + K T| + ½ νᵀμ + Σ max(w_i, 1) c_i, in natural parameters throughout; needs
// the posterior to be at this state.
[[nodiscard]] double log_evidence(const EpProblem& problem, const EpState& state);

// Whether the posterior is the one of this state.
[[nodiscard]] bool is_at(const EpProblem& problem, const EpState& state);

// (τ, ν) as one vector of 2n entries; the change that the targets propose; and the units in which
// convergence is judged: w A_ii for τ, w √A_ii for ν.
[[nodiscard]] Vector stacked(const Sites& sites);
[[nodiscard]] Sites unstacked(const Vector& x);
[[nodiscard]] Vector stacked_change(const EpState& state);
[[nodiscard]] Vector stacked_scale(const EpProblem& problem, const EpState& state);

// The tilted density of row i, with the site that matches it per unit of weight.
[[nodiscard]] Tilted tilted(const EpProblem& problem, Index i, Natural cavity);

}  // namespace candor
