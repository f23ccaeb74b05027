// SPDX-License-Identifier: MIT
#include <candor/inference/finish.hpp>

#include <candor/likelihood/powered_site.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <iterator>
#include <utility>

namespace candor {
namespace {

Vector log_Z_gradient(const Likelihood& likelihood, const Observation& row, Moments cavity) {
  return std::visit([&](const auto& l) -> Vector { return l.log_Z_gradient(row, cavity); },
                    likelihood);
}

}  // namespace

Approximation finish(const EpProblem& problem, EpState state, Outcome outcome) {
  if (!is_at(problem, state)) {
    auto again = evaluate(problem, std::move(state.sites));
    if (!again) {  // rounding decides at the edge of properness: only the prior is left
      outcome.status = Status::not_converged;
      again = evaluate(problem, Sites::zero(problem.posterior.size()));
    }
    if (!again) throw NumericalError("the likelihood has no finite moments under the prior");
    state = std::move(*again);
  }
  outcome.residual = state.residual;
  outcome.negative_sites = (state.sites.tau.array() < 0.0).count();
  outcome.jitter = problem.posterior.jitter();
  const double evidence = log_evidence(problem, state);
  if (!std::isfinite(evidence)) outcome.status = Status::not_converged;
  Approximation result{.outcome = outcome,
                       .log_evidence = evidence,
                       .site_tau = std::move(state.sites.tau),
                       .site_nu = std::move(state.sites.nu),
                       .latent_mean = std::move(state.mean),
                       .latent_variance = std::move(state.variance),
                       .cavity_mean = state.cavity_nu.cwiseQuotient(state.cavity_tau),
                       .cavity_variance = state.cavity_tau.cwiseInverse(),
                       .alpha = std::move(state.alpha),
                       .adjoint_shift = Vector::Zero(problem.posterior.size()),
                       .posterior = std::move(problem.posterior)};
  judge_labels(problem.likelihood, problem.observations, result);
  result.likelihood_gradient =
      likelihood_gradient(problem.likelihood, problem.observations, result);
  return result;
}

Index fill_sites(const Observations& observations, const Sites& of_rows,
                 Approximation& approximation) {
  const Vector weight = observations.weights(), left_out = weight.cwiseMin(1.0);
  const Vector& variance = approximation.latent_variance;
  approximation.site_tau = of_rows.tau.cwiseQuotient(weight);
  approximation.site_nu = of_rows.nu.cwiseQuotient(weight);
  const bool is_concave = (of_rows.tau.array() >= 0.0).all();
  const Vector prior_precision = approximation.posterior.prior_variance().cwiseInverse();
  const Vector least = (is_concave ? 1.0 : 0.5) * prior_precision;
  const Vector cavity_tau = variance.cwiseInverse() - left_out.cwiseProduct(approximation.site_tau);
  const Vector cavity_nu = approximation.latent_mean.cwiseQuotient(variance) -
                           left_out.cwiseProduct(approximation.site_nu);
  approximation.cavity_variance = cavity_tau.cwiseMax(least).cwiseInverse();
  approximation.cavity_mean = cavity_nu.cwiseProduct(approximation.cavity_variance);
  return is_concave ? 0 : (cavity_tau.array() < least.array()).count();
}

void judge_labels(const Likelihood& likelihood, const Observations& observations,
                  Approximation& approximation) {
  const Index n = observations.size();
  approximation.log_loo.resize(n);
  approximation.p_wrong.resize(n);
  std::visit(
      [&](const auto& l) {
        for (Index i = 0; i < n; ++i) {
          const Moments cavity{approximation.cavity_mean[i], approximation.cavity_variance[i]};
          approximation.log_loo[i] = l.tilted(observations.row(i), cavity).log_Z;
          approximation.p_wrong[i] = l.p_wrong(observations.row(i), cavity);
        }
      },
      likelihood);
}

Vector likelihood_gradient(const Likelihood& likelihood, const Observations& observations,
                           const Approximation& approximation) {
  Vector sum = Vector::Zero(std::ssize(parameter_names(likelihood)));
  for (Index i = 0; i < observations.size(); ++i) {
    const Moments cavity{approximation.cavity_mean[i], approximation.cavity_variance[i]};
    const Observation row = observations.row(i);
    const double power = observations.power_of(i);
    sum += power < 1.0
               ? powered_log_Z_gradient(likelihood, row, power, cavity)
               : Vector(observations.copies_of(i) * log_Z_gradient(likelihood, row, cavity));
  }
  return sum;
}

}  // namespace candor
