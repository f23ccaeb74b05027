// SPDX-License-Identifier: MIT
// What learning maximises: log evidence plus log prior, as a function of Theta.
//
// Sites of the best point so far are handed on as a start to the next evaluation, which saves
// sweeps and no more: the answer of learning is computed afresh (learning/learn.hpp).
#pragma once

#include <candor/inference/inference.hpp>
#include <candor/learning/ascent.hpp>
#include <candor/learning/prior.hpp>
#include <candor/learning/theta.hpp>
#include <candor/linalg/threads.hpp>

#include <optional>

namespace candor {

// The data that learning looks at; both must outlive whoever holds this.
struct TrainingSet {
  const Matrix& X;
  const Observations& observations;
  Threads threads = Threads::all();
};

struct Evaluation {
  double log_evidence = 0.0;
  double log_prior = 0.0;
  Vector gradient;  // of the sum, in Theta; empty unless asked for
  Sites sites;
  Vector p_wrong;

  [[nodiscard]] double value() const { return log_evidence + log_prior; }
};

enum class With { value, gradient };

// How far EP may stop from its fixed point while one searches.  Evidence is stationary in the
// sites, so that it is right to about the square of this, times the rows that are off; gradients
// and p_wrong are right to its first power.
constexpr double search_tolerance = 1e-3;

class Objective {
 public:
  Objective(Coordinates coordinates, Prior prior, TrainingSet data);

  // Empty where inference breaks down or does not converge within a search's patience.
  [[nodiscard]] std::optional<Evaluation> evaluate(const Theta& theta,
                                                   const std::optional<Sites>& warm_start,
                                                   With with = With::gradient,
                                                   double tolerance = search_tolerance);
  // The answer at theta by the model's own engine, whatever comes of it.  `sites` are where to look
  // first if the fixed point is unique (log-concave likelihoods); elsewhere the answer starts where
  // infer() does by itself, and from them only where that finds nothing.
  [[nodiscard]] Approximation infer_at(const Theta& theta, const std::optional<Sites>& sites) const;

  // Of log evidence + log prior, where q is the approximation at theta.
  [[nodiscard]] Vector gradient_at(const Theta& theta, const Approximation& q) const;

  [[nodiscard]] const Coordinates& coordinates() const { return coordinates_; }
  [[nodiscard]] const Prior& prior() const { return prior_; }
  [[nodiscard]] const TrainingSet& data() const { return data_; }
  [[nodiscard]] int evaluations() const { return evaluations_; }
  [[nodiscard]] int failures() const { return failures_; }
  [[nodiscard]] int sweeps() const { return sweeps_; }

 private:
  Coordinates coordinates_;
  Prior prior_;
  TrainingSet data_;
  int evaluations_ = 0;
  int failures_ = 0;
  int sweeps_ = 0;
};

}  // namespace candor
