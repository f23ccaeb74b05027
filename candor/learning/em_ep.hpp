// SPDX-License-Identifier: MIT
// EM-EP, the loop that the outlier-robust classifier was published with [KG06], [KG08]:
//
//   E   EP at the current numbers: q(f) = N(h, A) of the noisy latent values f, noise v₂ included
//   M   ε ← mean(1 - ω_i),  ω_i = Φ(y_i h_i/√A_ii)
//       v₂ and the covariance's parameters climb the bound F of learning/em_bound.hpp, q fixed
//
// for comparison with learn(), which is the default.  The published ε overestimates the share of
// wrong labels, and its model can end below the evidence of the regular one: ω measures a Gaussian
// that leaks over the boundary whatever the labels say, and ε = ½ is always a fixed point.
// RateStep::tilted is the EM step ε ← mean(p_wrong) instead, whose fixed points are those of the
// evidence (docs/math/em_ep.md).
//
// The noise v₂ may stand in the likelihood or, as in the papers, as noise(v₂) in the covariance
// with a likelihood of none: f is the same, and so is every step.  In the second form hold one of
// the variances: a factor common to them all changes nothing but the units of f.
//
// Steps are linear in their convergence and slow where v₂ is small against the other variances.
// Memory: at most 5 n² doubles, the 2 n² of an Approximation among them.
#pragma once

#include <candor/learning/em_bound.hpp>
#include <candor/learning/learn.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace candor {

enum class RateStep { published, tilted };
[[nodiscard]] std::string_view name_of(RateStep step);

struct EmEp {
  RateStep rate_step = RateStep::published;
  ParameterChoice choice{};  // an ε of 0 is held, as in learn()
  // Ends when a step changes neither ε nor the log of any other parameter by more than this.  The
  // fixed point is 1/(1 - rate of convergence) times as far.
  double tolerance = 1e-6;
  int max_steps = 500;
  // Of the M step.  No climb begins where all slopes are below `flat`: slopes of F are those of the
  // log evidence there.
  Ascent m_step{.max_evaluations = 30, .tolerance = 1e-9, .flat = 1e-4};
  // Every third step goes on as far as the last two suggest, by coordinates, in all but ε.
  // Not as published; the fixed points are the same, and there are far fewer steps to them.
  bool accelerate = false;
  Watcher watcher{};  // asked before every step, and before every evaluation of F within it
};

enum class EmEpStatus {
  converged,
  out_of_steps,
  inference_failed,  // EP did not converge after the next step: what is returned is from before it
  bound_failed,      // C had no Cholesky factor where the M step began
  cancelled,
};
[[nodiscard]] std::string_view name_of(EmEpStatus status);

// One E step, and the M step that would follow it.
struct EmEpStep {
  Approximation approximation;  // of the model as given
  Vector latent_mean;           // h
  Vector latent_variance;       // A_ii
  Vector omega;                 // mass of q(f_i) on the side of the label
  double published_rate = 0.0;  // mean(1 - ω) over the rows whose rate is not known
  double tilted_rate = 0.0;     // mean(p_wrong) over the same rows
  Theta theta;                  // of v₂ and the covariance's parameters, those that are learned
  std::optional<Height> bound;  // F there
  Summit summit;                // of F
  Model model;                  // after the step
};

// Throws InvalidInput unless the likelihood is threshold, the engine EP, and no row has a weight.
[[nodiscard]] EmEpStep em_ep_step(const Model& model, const TrainingSet& data,
                                  const EmEp& options = {});

// Σ_i ω_i log(1 - ε) + (1 - ω_i) log ε: the part of the bound that ε ← mean(1 - ω) maximises.
[[nodiscard]] double rate_bound(const Vector& omega, double rate);

// An E step on the way.
struct EmEpPoint {
  double flip_probability;
  double log_evidence;
};

struct EmEpLearned {
  EmEpStatus status = EmEpStatus::out_of_steps;
  Model model;  // the last at which EP converged
  double log_evidence = 0.0;
  int steps = 0;                 // M steps
  int evaluations = 0;           // of F
  int sweeps = 0;                // factorisations by EP, over all E steps
  std::vector<EmEpPoint> trace;  // one point per E step that converged
  // Of `model`, computed from nothing as infer() would (once cancelled, if that agrees with the
  // last E step).  Not converged only where EP fails for the model as given.
  Approximation approximation;
};

// E steps begin at the sites of the one before.  Should that have led to another fixed point than a
// fresh start does, the loop is run again without.  A NumericalError in the first E step is thrown.
[[nodiscard]] EmEpLearned learn_by_em_ep(const Model& model, const TrainingSet& data,
                                         const EmEp& options = {});

}  // namespace candor
