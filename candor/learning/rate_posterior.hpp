// SPDX-License-Identifier: MIT
// The posterior of a label-error rate ε, by quadrature along the ridge on which the other
// hyperparameters follow it:
//
//   p(ε | D) ∝ e^F(θ(ε)),   θ(ε) = the top of F for this ε, to first order in logit 2ε (Mode::along)
//
// Where the best ε is at 0 or ½, logit 2ε has no end and the others stay where they are.
//
// From it come the interval for ε, the interval for the number of wrong labels, and the factor by
// which integrating ε out changes the evidence.
#pragma once

#include <candor/learning/mode.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// The central interval of a count that is 0 unless there are errors, which have probability
// p_errors; `quantile` is that of the count where there are some.
[[nodiscard]] Interval interval_of_count(double probability, double p_errors,
                                         const std::function<double(double)>& quantile);

struct RatePosterior {
  std::string name;       // of the parameter
  Vector rate;            // ascending
  Vector log_density;     // of ε, normalised
  double log_mass = 0.0;  // log ∫ e^{F(ε) - F(ε̂)} c dε, c = 4, √8 of two, 2 without a prior
  double top = 0.0;       // ε̂, where F is highest
  double mean = 0.0;
  Vector p_wrong;     // of each row, averaged over ε: never 0 for certain, as it is at ε̂ = 0
  Vector wrong_mean;  // Σ p_wrong for each rate
  Vector wrong_variance;  // Σ p_wrong (1 - p_wrong)
  bool complete = true;   // false: inference failed where there was still mass, which is missing
  int evaluations = 0;
  int sweeps = 0;

  // The shortest set of rates, as an interval, that holds this probability.
  [[nodiscard]] Interval interval(double probability = 0.9) const;
  // This many rates, each for an equal share of the probability, ascending.
  [[nodiscard]] Vector equally_likely(Index count) const;
  // Of the number of wrong labels, rows counted once, equal tails; without any error for certain
  // unless `p_errors`.
  [[nodiscard]] Interval wrong_labels(double probability = 0.9, double p_errors = 1.0) const;
};

// What Σ log_mass of two rates lacks of the integral over both: each walk holds the other rate at its
// top, and the prior 8(1 - ε₊ - ε₋) of both is no product.  0 where the data fix either.
[[nodiscard]] double log_correction_for_both(const RatePosterior& one, const RatePosterior& other);

// `rate` counts the rates of the model: 0 for Threshold, 0 and 1 for AsymmetricThreshold.
// `keep_going` is asked before every evaluation; once it says no, the walk ends where it is.
[[nodiscard]] RatePosterior rate_posterior(const Learned& learned, const Mode& mode, Index rate,
                                           const TrainingSet& data,
                                           const std::function<bool()>& keep_going = {});

}  // namespace candor
