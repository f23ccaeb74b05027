// SPDX-License-Identifier: MIT
#include <candor/inference/ep_newton.hpp>

#include <candor/inference/gmres.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace candor {
namespace {

// ∂(target τ, target ν)/∂(cavity τ, cavity ν) of every row, by central differences of the
// one-dimensional moments.  A step of 1e-5 leaves 1e-10 each of truncation and rounding.
struct LocalJacobian {
  Vector tau_tau, tau_nu, nu_tau, nu_nu;
};

LocalJacobian local_jacobian(const EpProblem& problem, const EpState& state) {
  const Index n = state.mean.size();
  LocalJacobian J{Vector(n), Vector(n), Vector(n), Vector(n)};
  constexpr double relative_step = 1e-5;
  for (Index i = 0; i < n; ++i) {
    const Natural c{state.cavity_tau[i], state.cavity_nu[i]};
    const auto site = [&](double d_tau, double d_nu) {
      return tilted(problem, i, {c.tau + d_tau, c.nu + d_nu}).site;
    };
    const double h_tau = relative_step * c.tau, h_nu = relative_step * std::sqrt(c.tau);
    const Natural by_tau = site(h_tau, 0.0) / site(-h_tau, 0.0);
    const Natural by_nu = site(0.0, h_nu) / site(0.0, -h_nu);
    J.tau_tau[i] = by_tau.tau / (2.0 * h_tau);
    J.nu_tau[i] = by_tau.nu / (2.0 * h_tau);
    J.tau_nu[i] = by_nu.tau / (2.0 * h_nu);
    J.nu_nu[i] = by_nu.nu / (2.0 * h_nu);
  }
  return J;
}

// I - ∂target/∂sites as an operator, in scaled units.  With
//   dA_ii = -Σ_j A_ij² w_j dτ_j,   dμ_i = Σ_j A_ij w_j (dν_j - μ_j dτ_j),
// and p_i = min(w_i, 1), the cavity (1/A_ii - p_i τ_i, μ_i/A_ii - p_i ν_i) changes by
//   dτ_cav = -dA_ii/A_ii² - p_i dτ_i,   dν_cav = dμ_i/A_ii - μ_i dA_ii/A_ii² - p_i dν_i.
class FixedPointJacobian {
 public:
  FixedPointJacobian(const EpProblem& problem, const EpState& state, const Vector& scale)
      : state_(state),
        scale_(scale),
        local_(local_jacobian(problem, state)),
        weight_(problem.observations.weights()),
        power_(problem.observations.powers()),
        A_(problem.posterior.covariance()),
        threads_(problem.posterior.threads()) {
    A_.triangularView<Eigen::StrictlyUpper>() = A_.transpose();
  }

  [[nodiscard]] Vector operator()(const Vector& scaled) const {
    const Index n = weight_.size();
    const Vector change = scaled.cwiseQuotient(scale_);
    const auto d_tau = change.head(n), d_nu = change.tail(n);
    const Vector total_tau = weight_.cwiseProduct(d_tau);
    const Vector shift = weight_.cwiseProduct(d_nu) - state_.mean.cwiseProduct(total_tau);
    const auto [minus_dA, d_mean] = products(total_tau, shift);
    const Vector relative = minus_dA.cwiseQuotient(state_.variance.cwiseAbs2());
    const Vector cavity_tau = relative - power_.cwiseProduct(d_tau);
    const Vector cavity_nu = d_mean.cwiseQuotient(state_.variance) +
                             state_.mean.cwiseProduct(relative) - power_.cwiseProduct(d_nu);
    Vector target(2 * n);
    target << local_.tau_tau.cwiseProduct(cavity_tau) + local_.tau_nu.cwiseProduct(cavity_nu),
        local_.nu_tau.cwiseProduct(cavity_tau) + local_.nu_nu.cwiseProduct(cavity_nu);
    return scaled - target.cwiseProduct(scale_);
  }

 private:
  // (A∘A) a and A b in one pass over A, by rows of tiles.
  [[nodiscard]] std::pair<Vector, Vector> products(const Vector& a, const Vector& b) const {
    constexpr Index tile = 512;
    const Index n = a.size();
    std::pair<Vector, Vector> result{Vector::Zero(n), Vector::Zero(n)};
    parallel_for((n + tile - 1) / tile, threads_, [&](Index task) {
      const Index first = task * tile, rows = std::min(tile, n - first);
      auto squared = result.first.segment(first, rows), plain = result.second.segment(first, rows);
      for (Index j = 0; j < n; ++j) {
        const auto column = A_.col(j).segment(first, rows);
        squared += a[j] * column.cwiseAbs2();
        plain += b[j] * column;
      }
    });
    return result;
  }

  const EpState& state_;
  const Vector& scale_;
  LocalJacobian local_;
  Vector weight_, power_;
  Matrix A_;
  Threads threads_;
};

// The Newton direction, in site units.
Vector newton_direction(const EpProblem& problem, const EpState& state, const Vector& scale) {
  constexpr Index max_dimension = 100;
  // Solving more exactly than the residual is small gains nothing: convergence stays quadratic.
  const double accuracy = std::clamp(state.residual, 1e-8, 1e-2);
  const FixedPointJacobian jacobian(problem, state, scale);
  const Vector scaled = gmres([&](const Vector& x) { return jacobian(x); },
                              stacked_change(state).cwiseProduct(scale), accuracy, max_dimension);
  return scaled.cwiseQuotient(scale);
}

}  // namespace

std::optional<EpState> newton_step(const EpProblem& problem, const EpState& state,
                                   const NewtonSearch& search, int& sweeps) {
  const Index n = state.mean.size();
  if (!is_at(problem, state)) {
    ++sweeps;
    if (!evaluate(problem, state.sites)) return std::nullopt;
  }
  const Vector scale = stacked_scale(problem, state);
  const Vector change = newton_direction(problem, state, scale);
  if (!change.allFinite()) return std::nullopt;
  const double before = stacked_change(state).cwiseProduct(scale).norm();
  for (double step = 1.0; step >= search.shortest; step *= 0.5) {
    ++sweeps;
    auto next = evaluate(
        problem, {state.sites.tau + step * change.head(n), state.sites.nu + step * change.tail(n)});
    if (next && next->improper == 0 &&
        stacked_change(*next).cwiseProduct(scale).norm() < (1.0 - search.fall * step) * before) {
      return next;
    }
  }
  return std::nullopt;
}

std::optional<EpState> newton_ep(const EpProblem& problem, EpState start, double tolerance,
                                 int max_steps, int& sweeps) {
  std::optional<EpState> state = std::move(start);
  for (int step = 0; step < max_steps && state && state->improper == 0; ++step) {
    if (state->residual <= tolerance) return state;
    state = newton_step(problem, *state, NewtonSearch{}, sweeps);
  }
  if (state && state->is_fixed_point(tolerance)) return state;
  return std::nullopt;
}

}  // namespace candor
