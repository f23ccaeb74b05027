// SPDX-License-Identifier: MIT
#include <candor/inference/ep_state.hpp>

#include <candor/likelihood/powered_site.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace candor {
namespace {

Vector total(const Observations& observations, Vector per_unit) {
  if (observations.weight.size() > 0) per_unit.array() *= observations.weight.array();
  return per_unit;
}

// What the cavities leave out.
Vector of_one_factor(const Observations& observations, Vector per_unit) {
  if (observations.weight.size() > 0) per_unit.array() *= observations.powers().array();
  return per_unit;
}

void find_targets(const EpProblem& problem, EpState& state) {
  const Index n = state.mean.size();
  state.target = state.sites;
  state.log_Z = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) {
    const Natural cavity{state.cavity_tau[i], state.cavity_nu[i]};
    if (!(cavity.tau > 0.0)) {
      ++state.improper;
      continue;
    }
    const Tilted match = tilted(problem, i, cavity);
    state.target.tau[i] = match.site.tau;
    state.target.nu[i] = match.site.nu;
    state.log_Z[i] = match.log_Z;
  }
}

double residual_of(const EpProblem& problem, const EpState& state) {
  const Vector dtau = total(problem.observations, state.target.tau - state.sites.tau);
  const Vector dnu = total(problem.observations, state.target.nu - state.sites.nu);
  const double by_tau = dtau.cwiseProduct(state.variance).lpNorm<Eigen::Infinity>();
  const double by_nu = dnu.cwiseProduct(state.variance.cwiseSqrt()).lpNorm<Eigen::Infinity>();
  // Norms and max may drop a NaN, and a NaN is no convergence.
  const bool finite = dtau.allFinite() && dnu.allFinite() && state.log_Z.allFinite();
  return finite ? std::max(by_tau, by_nu) : std::numeric_limits<double>::infinity();
}

// Cavities, targets and residual, from the sites and the marginals of q.
void match_moments(const EpProblem& problem, EpState& state) {
  const Observations& rows = problem.observations;
  state.cavity_tau = state.variance.cwiseInverse() - of_one_factor(rows, state.sites.tau);
  state.cavity_nu =
      state.mean.cwiseQuotient(state.variance) - of_one_factor(rows, state.sites.nu);  // eq. 3.56
  find_targets(problem, state);
  state.residual = residual_of(problem, state);
}

}  // namespace

Sites between(const Sites& from, const Sites& to, double step) {
  return {from.tau + step * (to.tau - from.tau), from.nu + step * (to.nu - from.nu)};
}

Vector stacked(const Sites& sites) {
  Vector x(sites.tau.size() + sites.nu.size());
  x << sites.tau, sites.nu;
  return x;
}

Sites unstacked(const Vector& x) {
  const Index n = x.size() / 2;
  return {x.head(n), x.tail(n)};
}

Vector stacked_change(const EpState& state) {
  return stacked({state.target.tau - state.sites.tau, state.target.nu - state.sites.nu});
}

Vector stacked_scale(const EpProblem& problem, const EpState& state) {
  return stacked({total(problem.observations, state.variance),
                  total(problem.observations, state.variance.cwiseSqrt())});
}

Tilted tilted(const EpProblem& problem, Index i, Natural cavity) {
  const Observation row = problem.observations.row(i);
  const double power = problem.observations.power_of(i);
  if (power == 1.0) {
    return std::visit([&](const auto& l) { return l.tilted(row, to_moments(cavity)); },
                      problem.likelihood);
  }
  Tilted match = powered_tilted(problem.likelihood, row, power, to_moments(cavity));
  match.site = {match.site.tau / power, match.site.nu / power};
  return match;
}

EpState at_prior(const EpProblem& problem) {
  const Index n = problem.posterior.size();
  EpState state{.sites = Sites::zero(n),
                .alpha = Vector::Zero(n),
                .mean = Vector::Zero(n),
                .variance = problem.posterior.prior_variance()};
  match_moments(problem, state);
  return state;
}

std::optional<EpState> evaluate(const EpProblem& problem, Sites sites) {
  SitePosterior& q = problem.posterior;
  if (!sites.nu.allFinite() || !q.set_precisions(total(problem.observations, sites.tau))) {
    return std::nullopt;
  }
  EpState state;
  state.variance = q.variance();
  auto [alpha, mu] = q.mean(total(problem.observations, sites.nu));
  state.sites = std::move(sites);
  state.alpha = std::move(alpha);
  state.mean = std::move(mu);
  if (!state.mean.allFinite() || !state.variance.allFinite()) return std::nullopt;
  match_moments(problem, state);
  if (!std::isfinite(state.residual)) return std::nullopt;
  return state;
}

EpState first_state(const EpProblem& problem, const std::optional<Sites>& guess, int& sweeps) {
  EpState prior = at_prior(problem);
  if (!guess) return prior;
  // A start further from a fixed point than the prior by orders of magnitude is no help.
  constexpr double far = 100.0;
  ++sweeps;
  auto state = evaluate(problem, *guess);
  const bool helps = state && state->improper == 0 && state->residual < far * prior.residual;
  return helps ? std::move(*state) : prior;
}

bool is_at(const EpProblem& problem, const EpState& state) {
  return problem.posterior.is_proper() &&
         problem.posterior.tau() == total(problem.observations, state.sites.tau);
}

// c_i = log Z_i + ½ log(1 + τλ) - ½ (ν²λ + 2νμ\i - τμ\i²)/(1 + τλ), cavity N(μ\i, λ): no logarithm
// of a site's own normaliser, which does not exist where τ ≤ 0.
double log_evidence(const EpProblem& problem, const EpState& state) {
  assert(is_at(problem, state));
  double sum = 0.0;
  for (Index i = 0; i < state.mean.size(); ++i) {
    const double power = problem.observations.power_of(i);
    const double tau = power * state.sites.tau[i], nu = power * state.sites.nu[i];
    const double lambda = 1.0 / state.cavity_tau[i], mu = lambda * state.cavity_nu[i];
    const double ratio = 1.0 + tau * lambda;
    const double c = state.log_Z[i] + 0.5 * std::log1p(tau * lambda) -
                     0.5 * (nu * nu * lambda + 2.0 * nu * mu - tau * mu * mu) / ratio;
    sum += problem.observations.copies_of(i) * (c + 0.5 * nu * state.mean[i]);
  }
  return sum - 0.5 * problem.posterior.log_determinant();
}

}  // namespace candor
