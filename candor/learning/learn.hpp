// SPDX-License-Identifier: MIT
// Evidence maximisation: finds the hyperparameters under which the labels are most probable, by
// bounded L-BFGS on Theta from several starts, with analytic gradients.
//
//   const Learned learned = learn({.covariance = 1.0 * Covariance(Matern{})}, {X, observations});
//
// A number of X that is not known is NaN, as for infer().
//
// Warm-started sites save sweeps on the way; the approximation that is returned was computed from
// nothing at the learned hyperparameters, as infer() would.  Should the two disagree (EP can have
// several fixed points), the search is finished without warm starts.
#pragma once

#include <candor/learning/ascent.hpp>
#include <candor/learning/objective.hpp>
#include <candor/learning/prior.hpp>
#include <candor/learning/theta.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace candor {

struct Progress {
  std::string stage;
  int evaluations = 0;
  int sweeps = 0;
  double best = 0.0;  // log evidence plus log prior; -∞ before there is one
};
// Asked before every evaluation; false ends learning with the best found so far.
using Watcher = std::function<bool(const Progress&)>;

struct Learning {
  ParameterChoice choice{};  // which parameters are learned
  bool use_prior = true;     // false: plain type-II maximum likelihood
  PriorScale prior_scale{};
  // Where to look: the model as given first, then these, then points spread about the prior.
  std::vector<Model> more_starts{};
  std::optional<Sites> first_sites{};  // where EP should begin at the model as given, if known
  int spread_starts = 2;
  // With twice as many rows as this, starts are compared on a sample of so many, and the best of
  // them is climbed on by larger ones (learning/sample.hpp).
  Index sample_rows = 300;
  Ascent ascent{};
  Watcher watcher{};
};

struct Learned {
  AscentStatus status = AscentStatus::no_start;
  Model model;
  Theta theta;
  double log_evidence = 0.0;  // of the approximation
  double log_prior = 0.0;     // of the hyperparameters
  Vector gradient;            // of their sum, at the approximation if that converged; empty: none
  int starts = 0;
  int evaluations = 0;             // of the full table
  int failures = 0;                // of them: EP did not converge or broke down
  int sweeps = 0;                  // factorisations of the full table
  std::vector<std::string> names;  // of theta's coordinates
  Coordinates coordinates;         // which numbers were learned
  Prior prior;
  Approximation approximation;

  [[nodiscard]] double value() const { return log_evidence + log_prior; }
};

[[nodiscard]] Learned learn(const Model& model, const TrainingSet& data,
                            const Learning& options = {});

}  // namespace candor
