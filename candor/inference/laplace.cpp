// SPDX-License-Identifier: MIT
#include <candor/inference/laplace.hpp>

#include <candor/inference/finish.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace candor {
namespace {

// log p(y|f) and its derivatives at every row, weights included.
struct Terms {
  double log_p = 0.0;
  Vector d1, d2, d3;
};

Terms terms_at(const Likelihood& likelihood, const Observations& observations, const Vector& f) {
  const Index n = f.size();
  Terms terms{0.0, Vector(n), Vector(n), Vector(n)};
  std::visit(
      [&](const auto& l) {
        for (Index i = 0; i < n; ++i) {
          const double w = observations.weight_of(i);
          const LogDensity p = l.log_density(observations.row(i), f[i]);
          terms.log_p += w * p.value;
          terms.d1[i] = w * p.d1;
          terms.d2[i] = w * p.d2;
          terms.d3[i] = w * p.d3;
        }
      },
      likelihood);
  return terms;
}

// A point of the search: f = K α.
struct Mode {
  Vector alpha, f;
  Terms terms;
  double objective;  // Ψ(f) = log p(y|f) - ½ αᵀf
};

Mode mode_at(const Likelihood& likelihood, const Observations& observations, Vector alpha,
             Vector f) {
  Terms terms = terms_at(likelihood, observations, f);
  const double objective = terms.log_p - 0.5 * alpha.dot(f);
  return {std::move(alpha), std::move(f), std::move(terms), objective};
}

// The objective may fall by rounding.
double slack_of(const Mode& mode) { return 1e-12 * (1.0 + std::abs(mode.objective)); }

// Newton's step, halved until the objective does not fall (by more than rounding).
std::optional<Mode> newton_step(const Likelihood& likelihood, const Observations& observations,
                                SitePosterior& posterior, const Mode& at) {
  const Vector W_lik = -at.terms.d2;
  if (!posterior.set_precisions(W_lik)) return std::nullopt;
  const auto [alpha, f] =
      posterior.mean(W_lik.cwiseProduct(at.f) + at.terms.d1);  // b, algorithm 3.1
  for (double step = 1.0; step > 1e-10; step *= 0.5) {
    Mode next = mode_at(likelihood, observations, at.alpha + step * (alpha - at.alpha),
                        at.f + step * (f - at.f));
    if (next.objective >= at.objective - slack_of(at)) return next;
  }
  return std::nullopt;
}

// What Newton's step from the mode that left these sites gives under the present covariance: the
// prior's mean where that is better.
Mode first_point(const Likelihood& likelihood, const Observations& observations,
                 SitePosterior& posterior, const std::optional<Sites>& sites) {
  const Vector zero = Vector::Zero(posterior.size());
  Mode at_prior = mode_at(likelihood, observations, zero, zero);
  if (!sites) return at_prior;
  const Vector weight = observations.weights();
  if (!posterior.set_precisions(weight.cwiseProduct(sites->tau))) return at_prior;
  auto [alpha, f] = posterior.mean(weight.cwiseProduct(sites->nu));
  Mode near = mode_at(likelihood, observations, std::move(alpha), std::move(f));
  return near.objective > at_prior.objective ? near : at_prior;
}

// At the mode α = ∇log p(y|f): how far from it, in posterior standard deviations, √A_ii bounded by
// those of the row alone.
double distance_from_stationary(const SitePosterior& posterior, const Mode& mode) {
  const Vector precision = posterior.prior_variance().cwiseInverse() - mode.terms.d2;
  const Vector distance = (mode.alpha - mode.terms.d1).cwiseQuotient(precision.cwiseSqrt());
  return distance.allFinite() ? distance.lpNorm<Eigen::Infinity>()
                              : std::numeric_limits<double>::infinity();
}

// Steps with the curvature of an earlier point, whose factor is at hand: f ← f + A (∇log p - α) with
// that point's A.  O(n²) each where Newton's take n³/3, and nearly as good where the curvature has
// settled; they end with the first that does not pay.
void refine(const Likelihood& likelihood, const Observations& observations,
            const SitePosterior& posterior, double tolerance, Mode& mode, double& residual) {
  constexpr double gain = 4.0;
  while (posterior.is_proper() && residual > tolerance) {
    const auto [alpha, f] = posterior.mean(mode.terms.d1 - mode.alpha);
    Mode next = mode_at(likelihood, observations, mode.alpha + alpha, mode.f + f);
    const double distance = distance_from_stationary(posterior, next);
    const bool pays =
        distance < residual / gain && next.objective >= mode.objective - slack_of(mode);
    if (!pays) return;
    mode = std::move(next);
    residual = distance;
  }
}

// A known rate above 0 is refused with the observations of these likelihoods already.
void check_supported(const Likelihood& likelihood) {
  if (std::holds_alternative<Probit>(likelihood) || std::holds_alternative<Logistic>(likelihood) ||
      std::holds_alternative<Gaussian>(likelihood)) {
    return;
  }
  throw InvalidInput("likelihood is " + std::string(name_of(likelihood)) +
                     ": Laplace takes probit, logistic or gaussian; for label errors use ep");
}

// Only Gaussian noise has a parameter: ½ Σ ((α_i² - W_ii)/τ_i - (w_i - 1)), w copies of a row being
// one row of noise v/w and a constant; W_ii = τ_i - τ_i² A_ii with the row's total τ_i = w_i/v.
Vector noise_gradient(const Likelihood& likelihood, const Observations& observations,
                      const Approximation& result) {
  if (!std::holds_alternative<Gaussian>(likelihood)) return Vector(0);
  double sum = 0.0;
  for (Index i = 0; i < observations.size(); ++i) {
    const double tau = result.posterior.tau()[i], alpha = result.alpha[i];
    sum += alpha * alpha / tau - 1.0 + tau * result.latent_variance[i];
    sum -= observations.weight_of(i) - 1.0;
  }
  return Vector::Constant(1, 0.5 * sum);
}

// ∂f̂/∂θ = (I + K W_lik)⁻¹ ∂K/∂θ ∇log p and ∂log Z/∂f̂_i = ½ A_ii ∂³log p [RW06, eqs. 5.23, 5.24;
// the sign of 5.23 as in the errata].
Vector response_of_the_mode(const SitePosterior& posterior, const Mode& mode,
                            const Vector& variance) {
  const Vector by_mode = 0.5 * variance.cwiseProduct(mode.terms.d3);
  return by_mode - posterior.apply_precision(posterior.apply_prior(by_mode));
}

Approximation finish_laplace(const Likelihood& likelihood, const Observations& observations,
                             SitePosterior posterior, const Mode& mode, Outcome outcome) {
  if (!posterior.set_precisions(-mode.terms.d2)) {
    throw NumericalError("the curvature at the mode cannot be factored");
  }
  outcome.jitter = posterior.jitter();
  const double evidence = mode.objective - 0.5 * posterior.log_determinant();
  if (!std::isfinite(evidence)) outcome.status = Status::not_converged;
  const Vector variance = posterior.variance();
  const Vector shift = response_of_the_mode(posterior, mode, variance);
  Approximation result{.outcome = outcome,
                       .log_evidence = evidence,
                       .latent_mean = mode.f,
                       .latent_variance = variance,
                       .alpha = mode.alpha,
                       .adjoint_shift = shift,
                       .posterior = std::move(posterior)};
  const Vector tau = -mode.terms.d2;
  // No site is negative, so no cavity is left out.
  static_cast<void>(
      fill_sites(observations, {tau, tau.cwiseProduct(mode.f) + mode.terms.d1}, result));
  judge_labels(likelihood, observations, result);
  result.likelihood_gradient = noise_gradient(likelihood, observations, result);
  return result;
}

}  // namespace

Approximation run(const Laplace& engine, const Likelihood& likelihood,
                  const Observations& observations, SitePosterior posterior,
                  const std::optional<Sites>& warm_start) {
  check_supported(likelihood);
  Mode mode = first_point(likelihood, observations, posterior, warm_start);
  Outcome outcome{.rung = Rung::newton,
                  .sweeps = warm_start ? 1 : 0,
                  .residual = distance_from_stationary(posterior, mode)};
  // Beyond the tolerance, where Newton's last step would lead too.
  const double finest = 1e-3 * engine.tolerance;
  if (warm_start) {
    refine(likelihood, observations, posterior, finest, mode, outcome.residual);
  }
  while (outcome.residual > engine.tolerance && outcome.sweeps < engine.max_iterations) {
    ++outcome.sweeps;
    auto next = newton_step(likelihood, observations, posterior, mode);
    if (!next) break;
    mode = std::move(*next);
    outcome.residual = distance_from_stationary(posterior, mode);
    refine(likelihood, observations, posterior, finest, mode, outcome.residual);
  }
  if (outcome.residual <= engine.tolerance) outcome.status = Status::converged;
  return finish_laplace(likelihood, observations, std::move(posterior), mode, outcome);
}

}  // namespace candor
