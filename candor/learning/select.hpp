// SPDX-License-Identifier: MIT
// Model selection: which view of the labels, with which covariance, do the data favour, by how
// much?
//
// Models are compared by their integrated evidence: the evidence at the optimum always favours the
// model with more to adjust.  Hyperparameters are integrated out by Laplace's method at the mode
// (learning/mode.hpp), rates by quadrature (learning/rate_posterior.hpp).  Before the data, label
// errors are prior_odds_of_errors times as probable as none, and covariances are alike.
//
// Wider views start from the optimum of the narrower one they contain, and keep it where nothing
// better is found: a robust model never ends below the regular one.  Shares of more than two classes
// (learning/confusion.hpp) have a prior of their own, also without one of the hyperparameters, and may.
#pragma once

#include <candor/learning/confusion.hpp>
#include <candor/learning/label_errors.hpp>
#include <candor/learning/learn.hpp>
#include <candor/learning/mode.hpp>
#include <candor/learning/rate_posterior.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace candor {

// How much more probable wrong labels are than none in a table, before it is seen; views with errors
// share that alike (docs/decisions/0015-tables-have-errors.md).
inline constexpr double prior_odds_of_errors = 19.0;

struct NamedCovariance {
  std::string name;
  Covariance covariance;
  PriorScale prior{};
};

// Of more than two classes without the matrices of its posterior, which nothing here predicts with.
struct Candidate {
  std::string name;  // "robust shared lengthscale"
  std::string covariance;
  LabelErrors errors = LabelErrors::none;
  Learned learned;
  Mode mode;
  std::vector<RatePosterior> rates;    // one for each ε
  std::optional<Confusion> confusion;  // of more than two classes by class, which have no rates
  double log_integrated = 0.0;         // integrated evidence
  double probability = 0.0;            // among the candidates, given the data
  int sweeps = 0;                      // everything this candidate has cost

  // Found by the search, by inference at its end, and by the walk over each rate.
  [[nodiscard]] bool converged() const;
  // Of each row, its rates averaged over their posterior: where the best ε is 0, labels may be
  // wrong all the same.
  [[nodiscard]] Vector p_wrong() const;
};

struct Selection {
  std::vector<Candidate> candidates;
  std::size_t best = 0;

  [[nodiscard]] const Candidate& chosen() const { return candidates[best]; }
  // Probability, among the candidates, of views of the labels with errors in them.
  [[nodiscard]] double p_label_errors() const;
  // Log integrated evidence for errors in the labels over none, averaged over the views of each and
  // summed over covariances: logit p_label_errors() less its prior.  NaN unless both have some.
  [[nodiscard]] double margin() const;
  // What that means in words.
  [[nodiscard]] std::string verdict() const;
};

struct Selecting {
  // Those of a fit are label_views() (model/fit.hpp).  by_class of more than two classes takes no
  // `rate`: its shares are learned, whatever else is held.
  std::vector<LabelErrors> errors{LabelErrors::none, LabelErrors::uniform};
  std::vector<NamedCovariance> covariances{};  // empty: default_covariances(X)
  Inference inference = Ep{};                  // Laplace: only without label errors
  std::optional<Likelihood> regular{};  // in the place of the regular model's: Probit or Logistic
  std::optional<double> rate{};         // of label errors, where it is known: held there
  // False: Candidate::mode is left empty where no evidence rests on it, without a prior and without
  // label errors; such candidates cannot be averaged over their hyperparameters.
  bool curvature = true;
  // Where shares of more than two classes start beside the narrower view: those of another covariance.
  std::optional<Matrix> shares{};
  // Its prior_scale is that of each covariance; a wider view of the labels starts from the narrower
  // optimum instead of its starts.
  Learning learning{};
};

// The candidates with their probabilities, and the best of them; one without an evidence has none.
[[nodiscard]] Selection selection_of(std::vector<Candidate> candidates);

[[nodiscard]] Selection select_model(const TrainingSet& data, const Selecting& options = {});

// The best by integrated evidence, among candidates or rows that tell of them, of those with label
// errors: an iterator, the end where none has an evidence.
template <class Models>
[[nodiscard]] auto best_with_errors(const Models& models) {
  auto best = models.end();
  for (auto model = models.begin(); model != models.end(); ++model) {
    if (model->errors == LabelErrors::none || std::isnan(model->log_integrated)) continue;
    if (best == models.end() || model->log_integrated > best->log_integrated) best = model;
  }
  return best;
}

// How a difference in log evidence reads, after the scale of [KR95].
[[nodiscard]] std::string strength_of(double nats);
// ", 20 to 1", to follow them; empty where so many to one says no more.
[[nodiscard]] std::string odds_of(double nats);

}  // namespace candor
