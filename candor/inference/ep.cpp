// SPDX-License-Identifier: MIT
#include <candor/inference/ep.hpp>

#include <candor/inference/ep_coarse_start.hpp>
#include <candor/inference/ep_continuation.hpp>
#include <candor/inference/ep_newton.hpp>
#include <candor/inference/ep_parallel.hpp>
#include <candor/inference/ep_sequential.hpp>
#include <candor/inference/finish.hpp>

#include <cmath>
#include <utility>

namespace candor {
namespace {

// The best state any schedule has reached: a fixed point beats none, then evidence, then residual.
class Ladder {
 public:
  Ladder(const EpProblem& problem, EpState start, int sweeps)
      : problem_(problem), state_(std::move(start)), sweeps_(sweeps) {}

  void offer(EpRun run, Rung rung) {
    sweeps_ += run.sweeps;
    if (run.converged) return offer_fixed_point(std::move(run.state), rung);
    if (converged_ || run.best.residual >= state_.residual) return;
    state_ = std::move(run.best);
    rung_ = rung;
    skipped_sites_ = run.skipped_sites;
  }

  // `find` looks for a fixed point and adds to its argument the sweeps it took.
  template <class Find>
  void try_to(const Find& find) {
    std::optional<EpState> found = find(sweeps_);
    if (found) offer_fixed_point(std::move(*found), Rung::root_finder);
  }

  [[nodiscard]] bool converged() const { return converged_; }
  [[nodiscard]] double best_evidence() const { return log_evidence_; }
  [[nodiscard]] const EpState& state() const { return state_; }
  [[nodiscard]] Outcome outcome() const {
    return {.status = converged_ ? Status::converged : Status::not_converged,
            .rung = rung_,
            .sweeps = sweeps_,
            .skipped_sites = skipped_sites_};
  }

 private:
  void offer_fixed_point(EpState state, Rung rung) {
    if (!is_at(problem_, state) && !evaluate(problem_, state.sites)) return;
    const double evidence = log_evidence(problem_, state);
    // The same fixed point by another way differs by rounding only: the first way is then reported.
    const double rounding = 1e-9 * (1.0 + std::abs(log_evidence_));
    if (converged_ && evidence <= log_evidence_ + rounding) return;
    state_ = std::move(state);
    rung_ = rung;
    converged_ = true;
    log_evidence_ = evidence;
    skipped_sites_ = 0;
  }

  const EpProblem& problem_;
  EpState state_;
  Rung rung_ = Rung::parallel;
  bool converged_ = false;
  double log_evidence_ = 0.0;
  Index skipped_sites_ = 0;
  int sweeps_;
};

// The evidence of rows that know nothing of each other: log ½ for each whole one.  For a weight
// w < 1 it is below w log ½, since E[p^w] < E[p]^w.
double evidence_of_guessing(const EpProblem& problem) {
  const Vector prior_variance = problem.posterior.prior_variance();
  double sum = 0.0;
  for (Index i = 0; i < prior_variance.size(); ++i) {
    const bool is_whole = problem.observations.power_of(i) == 1.0 || !(prior_variance[i] > 0.0);
    sum += is_whole ? problem.observations.weight_of(i) * std::log(0.5)
                    : tilted(problem, i, to_natural({0.0, prior_variance[i]})).log_Z;
  }
  return sum;
}

// A fixed point worse than guessing: where others may exist, look for them.
bool is_suspicious(const EpProblem& problem, const Ladder& ladder) {
  return ladder.converged() && problem.posterior.negative_sites() > 0 &&
         ladder.best_evidence() < evidence_of_guessing(problem);
}

// Climbs the ladder above parallel EP: to the first fixed point, or through all of it.
void climb(const EpProblem& problem, const Ep& engine, bool to_the_end, Ladder& ladder) {
  const auto settled = [&] {
    to_the_end = to_the_end || is_suspicious(problem, ladder);  // what the last rung has found too
    return ladder.converged() && !to_the_end;
  };
  for (const double damping : {0.5, 1.0}) {
    if (settled()) return;
    ladder.offer(sequential_ep(problem, at_prior(problem), damping, engine.tolerance,
                               engine.max_sequential_sweeps),
                 Rung::sequential);
  }
  if (problem.posterior.size() > engine.max_root_finder_rows) return;
  if (!ladder.converged()) {
    ladder.try_to([&](int& sweeps) {
      constexpr int max_steps = 30;
      return newton_ep(problem, ladder.state(), engine.tolerance, max_steps, sweeps);
    });
  }
  for (const Path path : {Path::latent_noise, Path::rates_from_above, Path::rates_from_zero}) {
    if (settled()) return;
    ladder.try_to(
        [&](int& sweeps) { return continued_ep(problem, path, engine.tolerance, sweeps); });
  }
}

}  // namespace

Approximation run(const Ep& engine, const Likelihood& likelihood, const Observations& observations,
                  SitePosterior posterior, const std::optional<Sites>& warm_start) {
  const EpProblem problem{likelihood, observations, posterior};
  int sweeps = 0;
  EpState start = first_state(problem, warm_start ? warm_start : coarse_start(problem), sweeps);
  const bool from_prior = start.sites.tau.isZero(0.0);
  Ladder ladder(problem, start, sweeps);
  const auto parallel_from = [&](EpState from) {
    ladder.offer(parallel_ep(problem, std::move(from), engine.tolerance, engine.max_sweeps),
                 Rung::parallel);
  };
  parallel_from(std::move(start));
  const bool to_the_end = engine.explore || is_suspicious(problem, ladder);
  if (!from_prior && (to_the_end || !ladder.converged())) parallel_from(at_prior(problem));
  climb(problem, engine, to_the_end, ladder);
  return finish(problem, ladder.state(), ladder.outcome());
}

Approximation run(const SequentialEp& engine, const Likelihood& likelihood,
                  const Observations& observations, SitePosterior posterior,
                  const std::optional<Sites>& warm_start) {
  const EpProblem problem{likelihood, observations, posterior};
  int sweeps = 0;
  EpState start = first_state(problem, warm_start, sweeps);
  const EpRun done =
      sequential_ep(problem, std::move(start), engine.damping, engine.tolerance, engine.max_sweeps);
  const Outcome outcome{.status = done.converged ? Status::converged : Status::not_converged,
                        .rung = Rung::sequential,
                        .sweeps = sweeps + done.sweeps,
                        .skipped_sites = done.skipped_sites};
  return finish(problem, done.state, outcome);
}

}  // namespace candor
