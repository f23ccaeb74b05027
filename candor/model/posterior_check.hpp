// SPDX-License-Identifier: MIT
// How far the Gaussian posteriors of a classifier are from the truth on its own rows: each process
// inferred again by the engine it was learned with, and sampled (inference/mcmc.hpp), at the learned
// hyperparameters.
//
//   for (const ProcessCheck& check : check_posteriors(classifier, Ep{})) …
//   check_posterior(model, X, observations)      one model by itself
//
// Probabilities are those of the process by itself: what a classifier reports is averaged over
// processes.
#pragma once

#include <candor/inference/annealed_importance.hpp>
#include <candor/inference/inference.hpp>
#include <candor/inference/mcmc.hpp>
#include <candor/learning/model.hpp>
#include <candor/model/classifier.hpp>
#include <candor/model/cost.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace candor {

struct CheckOptions {
  bool all_models = false;  // every process of a question, not the one of most weight alone
  int chains = Mcmc{}.chains;
  Index warmup = Mcmc{}.warmup;
  Index draws = Mcmc{}.draws;  // of each chain
  int runs = Annealing{}.runs;
  int temperatures = Annealing{}.temperatures;
  // Anneal from the prior, which owes nothing to the engine and takes more temperatures, instead of
  // from the engine's Gaussian.
  bool from_prior = false;
  std::uint64_t seed = 0;
  Threads threads = Threads::all();
  SamplingWatcher watcher = {};  // where it says no: Cancelled
};

// Of all rows the one that is furthest off beyond two Monte Carlo standard errors: the largest
// |difference| itself may be all noise where a smaller one is none.
struct LargestDifference {
  Index row = 0;         // among the training rows
  double value = 0.0;    // the engine's less the truth
  double error = 0.0;    // Monte Carlo standard error
  double at_most = 0.0;  // of all rows the largest |difference| + two standard errors

  [[nodiscard]] double beyond_noise() const { return std::abs(value) - 2.0 * error; }
};

struct ProcessCheck {
  Index positive_class = 1;
  std::string name{};           // of the process
  double weight = 0.0;          // in its question
  std::string engine{};         // "ep"
  Approximation engine_says{};  // without its n×n posterior
  PosteriorSample truth{};
  AnnealedEvidence evidence{};  // the truth of it
  AnnealedEvidence back{};      // the same in reverse, from draws
  // Anneals began at the prior: as asked, because the engine's sites leave no proper Gaussian, or,
  // where steps can be raised, because it did not converge or labels have hardly any noise.
  bool from_prior = false;
  // Tempering loses latent values that labels rule out, and nothing else leads to the evidence: it is
  // never settled.
  bool evidence_out_of_reach = false;
  double jitter = 0.0;  // relative, added to K by the engine or the sampler: the larger

  LargestDifference mean{};      // of latent means, in standard deviations of the posterior
  LargestDifference sd_ratio{};  // of latent standard deviations: log(engine's/truth)
  LargestDifference p_wrong{};

  // The engine's log evidence less the truth, and the largest that its size may be: from the farther
  // of there and back, two standard errors more.
  [[nodiscard]] double evidence_difference() const;
  [[nodiscard]] double evidence_off_at_most() const;

  // Whether any label can be wrong.
  [[nodiscard]] bool has_label_errors() const { return truth.p_wrong.maxCoeff() > 0.0; }

  // The engine has converged, chains have met, draws are enough, and anneals there and back agree.
  [[nodiscard]] bool engine_converged() const {
    return engine_says.outcome.status == Status::converged;
  }
  [[nodiscard]] bool chains_have_met() const { return truth.worst_r_hat() <= largest_r_hat; }
  [[nodiscard]] bool has_enough_draws() const { return truth.least_effective() >= fewest_draws; }
  [[nodiscard]] bool evidence_is_settled() const;
  [[nodiscard]] bool settled() const {
    return engine_converged() && chains_have_met() && has_enough_draws() && evidence_is_settled();
  }
  static constexpr double largest_r_hat = 1.05;
  static constexpr double fewest_draws = 100.0;  // effective, of the worst row: errors of sd/10
  // A difference of log evidences that changes what is made of a comparison of models: a factor of
  // 1.6 in their odds.  An evidence that is known no better than this is not settled.
  static constexpr double nats_that_matter = 0.5;
};

// Fills mean, sd_ratio and p_wrong from what engine and chains say.  Variances below `resolution`
// are alike.
void find_differences(ProcessCheck& check, double resolution = 0.0);

// The engine that a classifier's options name; EP where they name none.  InvalidInput for a name
// that is no engine's.
[[nodiscard]] Inference engine_of(const Classifier& classifier);

// One model at its own numbers; `first` are sites for its engine to begin from.  InvalidInput for
// options out of their domain; Cancelled where the watcher says no.
[[nodiscard]] ProcessCheck check_posterior(const Model& model, const Matrix& X,
                                           const Observations& observations,
                                           const CheckOptions& options = {},
                                           const std::optional<Sites>& first = std::nullopt);

// InvalidInput for a joint question of more than two classes, and for options out of their domain;
// Cancelled where the watcher says no.
[[nodiscard]] std::vector<ProcessCheck> check_posteriors(const Classifier& classifier,
                                                         const Inference& engine,
                                                         const CheckOptions& options = {});

// About what it takes, to a factor of two or so.
[[nodiscard]] Cost cost_of_check(const Classifier& classifier, const CheckOptions& options);
[[nodiscard]] Cost cost_of_check(Index rows, Index models, const CheckOptions& options);

}  // namespace candor
