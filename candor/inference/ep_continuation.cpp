// SPDX-License-Identifier: MIT
#include <candor/inference/ep_continuation.hpp>

#include <candor/inference/ep_newton.hpp>
#include <candor/inference/ep_parallel.hpp>
#include <candor/inference/path_position.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace candor {
namespace {

// The likelihood at a position t ∈ [0, 1] of a path, t = 1 being the problem itself.
using LikelihoodAt = std::function<Likelihood(double t)>;

Likelihood with_rates(const Threshold& l, double t, double from) {
  return Threshold{.flip_probability = rate_along(t, from, l.flip_probability),
                   .noise_variance = l.noise_variance};
}

Likelihood with_rates(const AsymmetricThreshold& l, double t, double from) {
  return AsymmetricThreshold{.flip_positive = rate_along(t, from, l.flip_positive),
                             .flip_negative = rate_along(t, from, l.flip_negative),
                             .noise_variance = l.noise_variance};
}

// Empty when this likelihood has no such path.
LikelihoodAt likelihood_along(const EpProblem& problem, Path path) {
  const double prior_variance = problem.posterior.prior_variance().mean();
  return std::visit(
      [&]<class L>(const L& likelihood) -> LikelihoodAt {
        if constexpr (std::is_same_v<L, Threshold> || std::is_same_v<L, AsymmetricThreshold>) {
          if (path == Path::latent_noise) {
            const double from = prior_variance;
            if (likelihood.noise_variance >= from) return {};  // as soft as it gets
            return [likelihood, from](double t) -> Likelihood {
              L softened = likelihood;
              softened.noise_variance = noise_along(t, from, likelihood.noise_variance);
              return softened;
            };
          }
          if (likelihood.is_log_concave()) return {};  // rates are all zero: nothing to move
          const double from = path == Path::rates_from_above ? 0.45 : 0.0;
          return [likelihood, from](double t) { return with_rates(likelihood, t, from); };
        } else {
          return {};
        }
      },
      problem.likelihood);
}

// A point on the path, and the one before it for the secant that predicts the next.
struct Progress {
  double t = 0.0;
  Sites sites;
  double previous_t = 0.0;
  Sites previous;
};

// Newton from the secant's prediction, else from the last point.
std::optional<EpState> correct(const EpProblem& problem, const Progress& at, double t,
                               double tolerance, int& sweeps) {
  constexpr int max_newton_steps = 12;
  std::vector<Sites> starts{at.sites};
  if (at.t > at.previous_t) {
    const double reach = 1.0 + (t - at.t) / (at.t - at.previous_t);
    starts.insert(starts.begin(), between(at.previous, at.sites, reach));
  }
  for (Sites& sites : starts) {
    ++sweeps;
    auto start = evaluate(problem, std::move(sites));
    if (!start) continue;
    auto found = newton_ep(problem, std::move(*start), tolerance, max_newton_steps, sweeps);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<EpState> follow(const EpProblem& problem, const LikelihoodAt& likelihood_at,
                              EpState start, double tolerance, int& sweeps) {
  constexpr double shortest = 1e-3;
  constexpr int max_tries = 60;
  Progress at{.sites = start.sites, .previous = start.sites};
  EpState state = std::move(start);
  double step = 0.2;
  for (int tries = 0; at.t < 1.0; ++tries) {
    if (tries == max_tries) return std::nullopt;
    const double ahead = std::min(step, 1.0 - at.t), t = at.t + ahead;
    const Likelihood likelihood = likelihood_at(t);
    const EpProblem there{likelihood, problem.observations, problem.posterior};
    auto next = correct(there, at, t, tolerance, sweeps);
    if (!next) {
      step = 0.5 * ahead;
      if (step < shortest) return std::nullopt;  // the branch folds here
      continue;
    }
    state = std::move(*next);
    at = {t, state.sites, at.t, at.sites};
    step = 1.5 * ahead;
  }
  return state;
}

}  // namespace

std::optional<EpState> continued_ep(const EpProblem& problem, Path path, double tolerance,
                                    int& sweeps) {
  constexpr int max_start_sweeps = 150;
  const LikelihoodAt likelihood_at = likelihood_along(problem, path);
  if (!likelihood_at) return std::nullopt;
  const Likelihood easy = likelihood_at(0.0);
  const EpProblem start{easy, problem.observations, problem.posterior};
  EpRun run = parallel_ep(start, at_prior(start), tolerance, max_start_sweeps);
  sweeps += run.sweeps;
  if (!run.converged) return std::nullopt;
  return follow(problem, likelihood_at, std::move(run.state), tolerance, sweeps);
}

}  // namespace candor
