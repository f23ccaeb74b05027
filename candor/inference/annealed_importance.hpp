// SPDX-License-Identifier: MIT
// The evidence by annealed importance sampling [N01]: from a Gaussian N(μ, A), which is the prior
// or the one of given sites, to the posterior along
//
//   p_β(f) ∝ N(f; μ, A) r(f)^β,   r(f) = p(y|f)/sites(f),   0 = β_0 < … < β_T = 1
//
//   log w = log Z_ref + Σ_t (β_t - β_{t-1}) log r(f_{t-1})
//
// with f_t from f_{t-1} by elliptical slices at β_t, β_t = (t/T)^power: dense near 0, where the
// prior meets the first labels.  Or, where labels are a noisy step, from the prior by raising their
// steps from nothing,
//
//   p_t(y_i | f_i) = (1 - missed_i) (Φ(z_i) + exp(-h_it) Φ(-z_i)),   z_i = y_i f_i/√v₂
//   exp(-h_it) = 1 - b_t (1 - exp(-rise_i)),   rise_i = log (1 - missed_i)/wrong_i
//
//   log w = Σ_i log (1 - missed_i) + Σ_t Σ_i log p_t(y_i | f_i,t-1)/p_{t-1}(y_i | f_i,t-1)
//
// with f_t along paths that no step holds up for long (gibbs_step.hpp, stepped_gaussian.hpp); without
// noise a row may count more or less than once, and log (1 - missed_i) and rise_i are multiplied by
// its weight.
// E[w] is the evidence.  The log of a mean over few runs is too low rather than too high; runs in
// reverse, from draws of the posterior, have E[1/w] = 1/evidence and err to the other side, so that
// the two enclose it [GGA15].  Where labels cannot be wrong, runs forward may end at weight 0,
// which none in reverse does: those err a little further upwards.
#pragma once

#include <candor/inference/sampling_problem.hpp>
#include <candor/linalg/types.hpp>

#include <cstdint>

namespace candor {

enum class AnnealFrom {
  prior,           // tempering the labels
  near,            // the Gaussian of the problem's sites
  prior_by_steps,  // raising the labels' steps from nothing
};

struct Annealing {
  int runs = 32;           // at least 2
  int temperatures = 200;  // T
  int moves = 1;           // at each temperature
  double power = 4.0;      // of β_t
  AnnealFrom from = AnnealFrom::prior;
  std::uint64_t seed = 0;
  SamplingWatcher watcher{};
};

struct AnnealedEvidence {
  double log_evidence = 0.0;
  // Of its logarithm, by the delta method over runs: sd(w)/(mean(w) √runs).  Too small where few
  // runs carry all weight.
  double standard_error = 0.0;
  double effective_runs = 0.0;  // (Σw)²/Σw²
  Vector log_weight{};          // of each run
  bool interrupted = false;     // the watcher said no: nothing above is meant
};

// Whether AnnealFrom::prior_by_steps is possible: a noisy step, every row counted once or v₂ = 0.
[[nodiscard]] bool can_anneal_steps(const SamplingProblem& problem);

// Deterministic by seed, at any number of threads.  InvalidInput for options out of their domain.
[[nodiscard]] AnnealedEvidence anneal(const SamplingProblem& problem,
                                      const Annealing& options = {});

// From draws of the posterior, one per column, back to the Gaussian; runs is their number.
[[nodiscard]] AnnealedEvidence anneal_back(const SamplingProblem& problem, const Matrix& draws,
                                           const Annealing& options = {});

}  // namespace candor
