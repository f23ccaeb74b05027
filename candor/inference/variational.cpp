// SPDX-License-Identifier: MIT
#include <candor/inference/variational.hpp>

#include <candor/inference/anderson.hpp>
#include <candor/inference/finish.hpp>
#include <candor/likelihood/expected_log_density.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/threads.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace candor {
namespace {

struct Problem {
  const Likelihood& likelihood;
  const Observations& observations;
  SitePosterior& posterior;
};

// A Gaussian of the family, and where the bound wants it to go.
struct State {
  Sites sites{};  // of whole rows, weights included
  Vector alpha{}, mean{}, variance{};
  Sites target{};
  double bound = 0.0;
  double residual = 0.0;  // max over rows of |Δτ| A_ii and |Δα| √A_ii
};

// Σ w E[log p]; sets the sites that the expectations under q ask for.
double find_target(const Problem& problem, State& state) {
  const Index n = state.mean.size();
  Vector value(n), d1(n), d2(n);
  constexpr Index rows = 16;
  parallel_for((n + rows - 1) / rows, problem.posterior.threads(), [&](Index task) {
    for (Index i = task * rows; i < std::min(n, (task + 1) * rows); ++i) {
      const double w = problem.observations.weight_of(i);
      const ExpectedLogDensity e = expected_log_density(
          problem.likelihood, problem.observations.row(i), {state.mean[i], state.variance[i]});
      value[i] = w * e.value;
      d1[i] = w * e.d1;
      d2[i] = w * e.d2;
    }
  });
  const Vector d_tau = -d2 - state.sites.tau, d_alpha = d1 - state.alpha;
  // ν = α + τ μ: far from the origin Δν alone would be all Δτ.
  state.target = {-d2, state.sites.nu + d_alpha + d_tau.cwiseProduct(state.mean)};
  const bool finite = state.target.tau.allFinite() && state.target.nu.allFinite();
  state.residual =
      finite ? std::max(d_tau.cwiseProduct(state.variance).lpNorm<Eigen::Infinity>(),
                        d_alpha.cwiseProduct(state.variance.cwiseSqrt()).lpNorm<Eigen::Infinity>())
             : std::numeric_limits<double>::infinity();
  return value.sum();
}

State at_prior(const Problem& problem) {
  const Index n = problem.posterior.size();
  State state{.sites = Sites::zero(n),
              .alpha = Vector::Zero(n),
              .mean = Vector::Zero(n),
              .variance = problem.posterior.prior_variance()};
  state.bound = find_target(problem, state);
  return state;
}

// KL(q ‖ N(0, K)) = ½ (log|I + K T| - Σ τ_i A_ii + αᵀμ), since tr K⁻¹A = n - tr T A.
double divergence(const SitePosterior& posterior, const State& state) {
  return 0.5 * (posterior.log_determinant() - state.sites.tau.dot(state.variance) +
                state.alpha.dot(state.mean));
}

// One factorisation.  Empty where q is improper or its bound no number.
std::optional<State> evaluate(const Problem& problem, Sites sites, int& sweeps) {
  ++sweeps;
  if (!sites.nu.allFinite() || !problem.posterior.set_precisions(sites.tau)) return std::nullopt;
  auto [alpha, mu] = problem.posterior.mean(sites.nu);
  State state{.sites = std::move(sites),
              .alpha = std::move(alpha),
              .mean = std::move(mu),
              .variance = problem.posterior.variance()};
  const bool is_normal =
      state.mean.allFinite() && state.variance.allFinite() && state.variance.minCoeff() > 0.0;
  if (!is_normal) return std::nullopt;
  const double expected = find_target(problem, state);
  state.bound = expected - divergence(problem.posterior, state);
  if (!std::isfinite(state.bound) || !std::isfinite(state.residual)) return std::nullopt;
  return state;
}

// Whether the bound rises; where rounding hides that, near an optimum, whether the residual falls.
bool improves(const State& from, const State& next) {
  const double rounding = 1e-12 * (1.0 + std::abs(from.bound));
  if (next.bound > from.bound + rounding) return true;
  return next.bound >= from.bound - rounding && next.residual < from.residual;
}

// Ascent in natural parameters: the step towards the target is along the natural gradient of the
// bound, so that a short enough one raises it; accelerated by Anderson's method.
class Ascent {
 public:
  Ascent(const Problem& problem, State start, int& sweeps)
      : problem_(problem), state_(std::move(start)), sweeps_(sweeps) {}

  [[nodiscard]] const State& state() const { return state_; }

  // False where no step is left to be tried.
  [[nodiscard]] bool step(int max_sweeps) {
    std::optional<State> next = accelerated();
    accelerator_.remember(stacked(state_.sites), change());
    if (!next) next = damped(max_sweeps);
    if (!next) return false;
    state_ = std::move(*next);
    return true;
  }

 private:
  [[nodiscard]] Vector change() const {
    return stacked({state_.target.tau - state_.sites.tau, state_.target.nu - state_.sites.nu});
  }

  [[nodiscard]] std::optional<State> accelerated() {
    if (!has_past_) {
      has_past_ = true;
      return std::nullopt;
    }
    const Vector units = stacked({state_.variance, state_.variance.cwiseSqrt()});
    auto next = evaluate(
        problem_, unstacked(accelerator_.propose(stacked(state_.sites), change(), units, length_)),
        sweeps_);
    if (next && improves(state_, *next)) return next;
    accelerator_.restart();
    has_past_ = false;
    return std::nullopt;
  }

  // Halves the step until the bound rises; the next one may be twice as long again.
  [[nodiscard]] std::optional<State> damped(int max_sweeps) {
    constexpr double shortest = 1e-7;
    for (; length_ > shortest && sweeps_ < max_sweeps; length_ *= 0.5) {
      auto next = evaluate(problem_, between(state_.sites, state_.target, length_), sweeps_);
      if (!next || !improves(state_, *next)) continue;
      length_ = std::min(1.0, 2.0 * length_);
      return next;
    }
    return std::nullopt;
  }

  const Problem& problem_;
  State state_;
  int& sweeps_;
  Anderson accelerator_;
  bool has_past_ = false;
  double length_ = 1.0;
};

// What a narrow Gaussian around 0 asks for: much like a regression on the labels.  Under a prior that
// is far wider than a boundary, expectations see next to no slope, and where labels can be wrong the
// climb from there may end at a summit that takes every label for chance.
Sites narrow_sites(const Problem& problem, const State& prior) {
  constexpr double share = 1e-4;  // of the prior variance: a hundredth of its deviation
  State narrow = prior;
  narrow.variance *= share;
  static_cast<void>(find_target(problem, narrow));
  return narrow.target;
}

// Where to climb from.  Sites from elsewhere are taken where their bound is better than the prior's;
// without any, two places where there may be several summits.
std::vector<State> starts(const Problem& problem, const std::optional<Sites>& guess, int& sweeps) {
  std::vector<State> places{at_prior(problem)};
  if (guess) {
    const Vector weight = problem.observations.weights();
    auto state = evaluate(
        problem, {weight.cwiseProduct(guess->tau), weight.cwiseProduct(guess->nu)}, sweeps);
    if (state && state->bound > places.front().bound) places.front() = std::move(*state);
  } else if (!is_log_concave(problem.likelihood, problem.observations)) {
    if (auto state = evaluate(problem, narrow_sites(problem, places.front()), sweeps)) {
      places.push_back(std::move(*state));
    }
  }
  return places;
}

// Of two ends the higher bound; where that is the same, what is nearer to its summit.
bool is_better(const State& end, const State& best) {
  const double rounding = 1e-9 * (1.0 + std::abs(best.bound));
  if (std::abs(end.bound - best.bound) <= rounding) return end.residual < best.residual;
  return end.bound > best.bound;
}

void check_supported(const Likelihood& likelihood, const Observations& observations) {
  for (Index i = 0; i < observations.size(); ++i) {
    if (has_expected_log_density(likelihood, observations.row(i))) continue;
    throw InvalidInput("noise_variance is 0, and the label of row " + std::to_string(i) +
                       " cannot be wrong: variational inference needs noise or label errors");
  }
}

// The bound is stationary in q, so that only its explicit dependence counts.
Vector likelihood_gradient(const Problem& problem, const State& state) {
  Vector sum = Vector::Zero(std::ssize(parameter_names(problem.likelihood)));
  if (sum.size() == 0) return sum;
  for (Index i = 0; i < state.mean.size(); ++i) {
    sum += problem.observations.weight_of(i) *
           expected_log_density_gradient(problem.likelihood, problem.observations.row(i),
                                         {state.mean[i], state.variance[i]});
  }
  return sum;
}

Approximation finish_variational(const Problem& problem, State state, Outcome outcome) {
  SitePosterior& posterior = problem.posterior;
  const bool is_there = posterior.is_proper() && posterior.tau() == state.sites.tau;
  if (!is_there && !posterior.set_precisions(state.sites.tau)) {
    throw NumericalError("the covariance of the best Gaussian cannot be factored");
  }
  static_cast<void>(posterior.variance());  // the gradient asks for the inverse factor
  outcome.residual = state.residual;
  outcome.negative_sites = (state.sites.tau.array() < 0.0).count();
  outcome.jitter = posterior.jitter();
  Approximation result{.outcome = outcome,
                       .log_evidence = state.bound,
                       .latent_mean = state.mean,
                       .latent_variance = state.variance,
                       .alpha = state.alpha,
                       .adjoint_shift = Vector::Zero(state.mean.size()),
                       .likelihood_gradient = likelihood_gradient(problem, state),
                       .posterior = std::move(posterior)};
  result.outcome.skipped_sites = fill_sites(problem.observations, state.sites, result);
  judge_labels(problem.likelihood, problem.observations, result);
  return result;
}

}  // namespace

Approximation run(const Variational& engine, const Likelihood& likelihood,
                  const Observations& observations, SitePosterior posterior,
                  const std::optional<Sites>& warm_start) {
  check_supported(likelihood, observations);
  const Problem problem{likelihood, observations, posterior};
  Outcome outcome{.rung = Rung::ascent};
  std::optional<State> best;
  for (State& start : starts(problem, warm_start, outcome.sweeps)) {
    int sweeps = 0;
    Ascent ascent(problem, std::move(start), sweeps);
    while (ascent.state().residual > engine.tolerance && sweeps < engine.max_iterations) {
      if (!ascent.step(engine.max_iterations)) break;
    }
    outcome.sweeps += sweeps;
    if (!best || is_better(ascent.state(), *best)) best = ascent.state();
  }
  if (best->residual <= engine.tolerance) outcome.status = Status::converged;
  return finish_variational(problem, std::move(*best), outcome);
}

}  // namespace candor
