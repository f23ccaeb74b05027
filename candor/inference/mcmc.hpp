// SPDX-License-Identifier: MIT
// Markov chains over the latent values: the posterior as it is, but for the noise of finitely many
// draws, which is stated.
//
//   const SamplingProblem problem(covariance, likelihood, X, {.y = y}, sites);
//   const PosteriorSample truth = sample_posterior(problem);
//
// A sweep alternates up to three moves, each of which leaves p(f | y) as it is:
//
//   slice        elliptical slice sampling around the prior: any likelihood; slow where many labels
//                pin f down
//   near slice   the same around the Gaussian of given sites: fast where that is near the posterior
//   gibbs        the noisy latent values of a noisy step, along paths that steps do not hold up:
//                fast where every row counts once or there is no noise; slow for copies of a row
//                where there is little, and not for parts of one
//
// No rule chooses among them, since each is slow in other places and all cost O(n²).  Every chain
// begins at a draw from the prior, so that chains that have not met are seen in r_hat.  They also
// meet where none of them has found latent values that the labels allow (v₂ = 0, labels that cannot
// be wrong, and no f of the prior that has them all, as of equal rows whose labels differ): what they
// draw then means nothing, and r_hat is set to ∞.
#pragma once

#include <candor/inference/sampling_problem.hpp>
#include <candor/linalg/types.hpp>

#include <cstdint>
#include <vector>

namespace candor {

struct Moves {
  bool slice = true;
  bool near_slice = true;  // where sites are known
  bool gibbs = true;       // where labels are a noisy step
};

struct Mcmc {
  int chains = 4;
  Index warmup = 500;  // sweeps thrown away, of each chain
  Index draws = 1000;  // sweeps kept, of each chain; at least 4
  std::uint64_t seed = 0;
  Moves moves{};
  SamplingWatcher watcher{};
};

struct PosteriorSample {
  Vector mean, variance;  // of each latent value
  Vector p_wrong;         // that the row's label was flipped; as an Approximation means it
  Vector mean_error;      // Monte Carlo standard errors
  Vector variance_error;
  Vector p_wrong_error;
  Vector r_hat, effective;    // of each latent value
  std::vector<Matrix> draws;  // of each chain, n×draws
  // False where a chain's first draw has p(y | f) = 0, so that draws are not of the posterior: then
  // r_hat is ∞ and effective 0.  A chain that has found a possible f does not leave again.
  bool is_possible = true;
  bool interrupted = false;  // the watcher said no: nothing above but the draws so far

  [[nodiscard]] double worst_r_hat() const { return r_hat.maxCoeff(); }
  [[nodiscard]] double least_effective() const { return effective.minCoeff(); }
};

// Deterministic by seed, at any number of threads.  InvalidInput for options out of their domain, or
// where the moves allowed leave none to make.
[[nodiscard]] PosteriorSample sample_posterior(const SamplingProblem& problem,
                                               const Mcmc& options = {});

}  // namespace candor
