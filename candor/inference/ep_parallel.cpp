// SPDX-License-Identifier: MIT
#include <candor/inference/ep_parallel.hpp>

#include <candor/inference/anderson.hpp>
#include <candor/inference/ep_newton.hpp>
#include <candor/inference/patience.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

// A cavity much wider than the prior only arises on the way to an improper q: stay clear of it.
bool cavities_are_guarded(const EpProblem& problem, const EpState& state) {
  const Vector prior_precision = problem.posterior.prior_variance().cwiseInverse();
  return state.improper == 0 && (state.cavity_tau.array() >= 0.5 * prior_precision.array()).all();
}

std::optional<EpState> guarded(const EpProblem& problem, Sites sites, int& sweeps) {
  ++sweeps;
  auto next = evaluate(problem, std::move(sites));
  if (next && !cavities_are_guarded(problem, *next)) next.reset();
  return next;
}

// Halves the step until q is proper.
std::optional<EpState> damped_step(const EpProblem& problem, const EpState& from, double step,
                                   int& sweeps) {
  constexpr double shortest = 1e-4;
  for (; step > shortest; step *= 0.5) {
    auto next = guarded(problem, between(from.sites, from.target, step), sweeps);
    if (next) return next;
  }
  return std::nullopt;
}

// The damping: shrinks when the residual grows, recovers after a run of successes.
class StepLength {
 public:
  [[nodiscard]] double value() const { return value_; }
  void observe(double before, double after) {
    if (after > before) {
      value_ = std::max(0.6 * value_, 0.02);
      successes_ = 0;
    } else if (++successes_ > 8) {
      value_ = std::min(1.3 * value_, 1.0);
      successes_ = 0;
    }
  }

 private:
  double value_ = 1.0;
  int successes_ = 0;
};

// The next state by plain or accelerated steps.
std::optional<EpState> next_state(const EpProblem& problem, const EpState& from, double step,
                                  bool accelerate, Anderson& accelerator, int& sweeps) {
  std::optional<EpState> next;
  if (accelerate) {
    next = guarded(problem,
                   unstacked(accelerator.propose(stacked(from.sites), stacked_change(from),
                                                 stacked_scale(problem, from), step)),
                   sweeps);
    if (!next || next->residual > 2.0 * from.residual) {
      next.reset();
      accelerator.restart();
    }
  }
  accelerator.remember(stacked(from.sites), stacked_change(from));
  return next ? next : damped_step(problem, from, step, sweeps);
}

}  // namespace

EpRun parallel_ep(const EpProblem& problem, EpState start, double tolerance, int max_sweeps) {
  EpRun run{.state = std::move(start)};
  run.best = run.state;
  StepLength step;
  Anderson accelerator;
  Patience patience;
  // From a warm start Newton's method often gets there at once, from a cold one hardly ever.
  const bool cold = run.state.sites.tau.isZero(0.0);
  double newton_below = cold ? 0.1 : 1.0;
  bool slow = false;
  while (!(run.converged = run.state.is_fixed_point(tolerance)) && run.sweeps < max_sweeps &&
         !patience.is_over(run.state.residual, run.sweeps)) {
    std::optional<EpState> next;
    const double before = run.state.residual;
    if (before < newton_below) {
      // A step that gains less, or that has to be shorter still, costs more than plain ones.
      constexpr NewtonSearch search{.shortest = 0.25, .fall = 0.1};
      next = newton_step(problem, run.state, search, run.sweeps);
      if (next && !next->is_fixed_point(tolerance) && !cavities_are_guarded(problem, *next)) {
        next.reset();
      }
      if (!next) newton_below = 0.3 * before;  // not close enough yet
    }
    if (!next) {
      next = next_state(problem, run.state, step.value(), slow, accelerator, run.sweeps);
      if (!next) break;
      step.observe(before, next->residual);
      slow = next->residual > 0.4 * before;
    }
    run.state = std::move(*next);
    if (run.state.residual < run.best.residual) run.best = run.state;
  }
  run.skipped_sites = run.state.improper;
  return run;
}

}  // namespace candor
