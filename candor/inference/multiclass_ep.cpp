// SPDX-License-Identifier: MIT
#include <candor/inference/multiclass_ep.hpp>

#include <candor/inference/anderson.hpp>
#include <candor/inference/multiclass_path.hpp>
#include <candor/inference/patience.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace candor {
namespace {

// Columns of all rows one after the other: how Approximation, Anderson and model files hold them.
Vector flat(const Matrix& x) { return x.reshaped(); }
Matrix by_row(const Vector& x, Index rows) { return x.reshaped(rows, x.size() / rows); }

struct RowSites {
  Matrix tau;  // n×site_size
  Matrix nu;   // n×latents
};

struct State {
  RowSites sites, target;
  Matrix alpha, mean, covariance;  // of q
  Matrix cavity_mean, cavity_covariance;
  Vector log_Z, p_right, p_wrong, rate_gradient;
  Vector scale;  // of the sites, flat
  Index improper = 0;
  double residual = 0.0;
};

Vector flat(const RowSites& sites) {
  Vector x(sites.tau.size() + sites.nu.size());
  x << flat(sites.tau), flat(sites.nu);
  return x;
}

// The loop over one form of posterior.
template <class Posterior>
class Loop {
 public:
  Loop(const Ep& engine, const ClassProblem& wanted, Posterior& posterior)
      : engine_(engine),
        wanted_(wanted),
        problem_(wanted),
        copies_(wanted.observations.weights()),
        q_(posterior),
        prior_(posterior.prior_covariance()) {}

  Approximation run(const std::optional<Sites>& warm_start) {
    constexpr double usual_damping = 0.7, careful_damping = 0.3;
    State best = iterate(first_state(warm_start), usual_damping, engine_.max_sweeps);
    const auto once_more = [&](double damping) {
      if (is_fixed_point(best) || engine_.max_sequential_sweeps == 0) return;
      State other = iterate(at_prior(), damping, engine_.max_sweeps);
      if (other.residual < best.residual) best = std::move(other);
    };
    if (warm_start) once_more(usual_damping);
    once_more(careful_damping);
    if (!is_fixed_point(best) && is_small_enough_for_continuation()) {
      for (const ClassPath path : {ClassPath::random_labels, ClassPath::latent_noise}) {
        std::optional<State> found = along(path, usual_damping);
        if (found) return finish(std::move(*found), Rung::continuation);
      }
    }
    return finish(std::move(best), Rung::parallel);
  }

 private:
  // To a fixed point, or to the best state on the way.  The damping stays what it is: a residual
  // that grows for a few steps is how the acceleration gets around repelling directions, and
  // shorter steps then lead nowhere.
  State iterate(State state, double damping, int max_sweeps) {
    constexpr std::size_t depth = 15;
    Anderson accelerator(depth);
    Patience patience;
    const int begin = sweeps_;
    State best = state;
    while (!is_fixed_point(state) && sweeps_ - begin < max_sweeps &&
           !patience.is_over(state.residual, sweeps_ - begin)) {
      std::optional<State> next = next_state(state, damping, accelerator);
      if (!next) break;
      state = std::move(*next);
      if (state.residual < best.residual) best = state;
    }
    return best;
  }

  // Half as many rows as for the root finder of two classes, since the loop takes more sweeps.
  [[nodiscard]] bool is_small_enough_for_continuation() const {
    constexpr ClassForm form =
        std::is_same_v<Posterior, CoupledPosterior> ? ClassForm::coupled : ClassForm::factorised;
    return 2.0 * rows_of_two_classes(form, wanted_.likelihood.classes, q_.rows()) <=
           static_cast<double>(engine_.max_root_finder_rows);
  }

  // Where a branch of fixed points ends, the loop from the prior runs in circles around its end.
  // Paths begin at problems that it solves, and arrive on other branches.
  std::optional<State> along(ClassPath path, double damping) {
    const double prior_variance = mean_prior_variance();
    std::optional<ClassProblem> next = problem_along(path, 0.0, wanted_, prior_variance);
    if (!next) return std::nullopt;
    constexpr double shortest = 0.02;
    constexpr int most_sweeps = 600;
    const int begin = sweeps_;
    problem_ = std::move(*next);
    std::optional<State> at = fixed_point(at_prior(), damping);
    double reached = 0.0, step = 0.5;
    while (at && reached < 1.0 && step >= shortest && sweeps_ - begin < most_sweeps) {
      const double ahead = std::min(step, 1.0 - reached), t = reached + ahead;
      problem_ = problem_along(path, t, wanted_, prior_variance).value();
      if (std::optional<State> found = fixed_point(evaluate(at->sites), damping)) {
        at = std::move(found);
        reached = t;
        step = 1.5 * ahead;
      } else {
        step = 0.5 * ahead;
      }
    }
    problem_ = wanted_;
    if (reached < 1.0) at.reset();
    return at;
  }

  [[nodiscard]] double mean_prior_variance() const {
    double sum = 0.0;
    for (Index i = 0; i < q_.rows(); ++i) sum += total_variance(q_, prior_.row(i).transpose());
    return sum / static_cast<double>(q_.rows() * q_.latents());
  }

  std::optional<State> fixed_point(std::optional<State> from, double damping) {
    if (!from) return std::nullopt;
    State state = iterate(std::move(*from), damping, engine_.max_sweeps);
    if (!is_fixed_point(state)) return std::nullopt;
    return state;
  }

  [[nodiscard]] bool is_fixed_point(const State& state) const {
    return state.improper == 0 && state.residual <= engine_.tolerance;
  }

  State first_state(const std::optional<Sites>& warm_start) {
    State prior = at_prior();
    if (!warm_start) return prior;
    constexpr double far = 100.0;  // as for two classes: such a start is no help
    const Index n = q_.rows();
    auto state = evaluate({by_row(warm_start->tau, n), by_row(warm_start->nu, n)});
    return state && state->residual < far * prior.residual ? std::move(*state) : prior;
  }

  State at_prior() const {
    const Index n = q_.rows();
    State state;
    state.sites = {Matrix::Zero(n, q_.site_size()), Matrix::Zero(n, q_.latents())};
    state.alpha = state.mean = Matrix::Zero(n, q_.latents());
    state.covariance = prior_;
    match_moments(state);
    return state;
  }

  // One factorisation.  Empty when q or a cavity is improper.
  std::optional<State> evaluate(RowSites sites) {
    ++sweeps_;
    factored_.resize(0, 0);
    if (!sites.nu.allFinite() || !q_.set_precisions(copies_.asDiagonal() * sites.tau)) {
      return std::nullopt;
    }
    State state;
    state.covariance = q_.covariance();
    auto [alpha, mu] = q_.mean(copies_.asDiagonal() * sites.nu);
    state.sites = std::move(sites);
    state.alpha = std::move(alpha);
    state.mean = std::move(mu);
    if (!state.mean.allFinite() || !state.covariance.allFinite()) return std::nullopt;
    match_moments(state);
    if (state.improper > 0 || !std::isfinite(state.residual)) return std::nullopt;
    factored_ = state.sites.tau;
    return state;
  }

  void match_moments(State& state) const {
    const Index n = q_.rows();
    state.target = state.sites;
    state.cavity_mean = state.mean;
    state.cavity_covariance = state.covariance;
    for (Vector* x : {&state.log_Z, &state.p_right, &state.p_wrong, &state.rate_gradient}) {
      x->setZero(n);
    }
    std::atomic<Index> improper = 0;
    constexpr Index chunk = 32;
    parallel_for((n + chunk - 1) / chunk, q_.threads(), [&](Index task) {
      for (Index i = task * chunk; i < std::min(n, (task + 1) * chunk); ++i) {
        if (!match_row(state, i)) ++improper;
      }
    });
    state.improper = improper;
    find_residual(state);
  }

  bool match_row(State& state, Index i) const {
    const Vector tau = state.sites.tau.row(i), nu = state.sites.nu.row(i);
    const RowGaussian left_out = cavity(q_, {state.mean.row(i), state.covariance.row(i)},
                                        {Vector::Zero(q_.latents()), prior_.row(i)}, tau, nu);
    if (left_out.covariance.size() == 0) return false;
    const Observation row = problem_.observations.row(i);
    const RowMatch found = match_label(row, left_out);
    state.cavity_mean.row(i) = left_out.mean;
    state.cavity_covariance.row(i) = left_out.covariance;
    state.target.tau.row(i) = found.tau;
    state.target.nu.row(i) = found.nu;
    state.log_Z[i] = found.log_Z;
    state.p_right[i] = found.p_right;
    state.p_wrong[i] = found.p_wrong;
    // A row that knows its own rate does not depend on ε.
    state.rate_gradient[i] = std::isnan(row.known_flip_rate) ? found.rate_gradient : 0.0;
    return true;
  }

  [[nodiscard]] RowMatch match_label(const Observation& row, const RowGaussian& left_out) const {
    const auto y = static_cast<int>(row.y);
    const auto& [likelihood, observations] = problem_;
    const bool known = !std::isnan(row.known_flip_rate);
    if (!known && observations.confusion.size() > 0) {
      return match_confused(q_, likelihood, y, observations.confusion.col(y), left_out);
    }
    const double rate = known ? row.known_flip_rate : likelihood.flip_probability;
    return match(q_, likelihood, y, rate, left_out);
  }

  // The largest change that the targets propose for a row, in posterior deviations.
  void find_residual(State& state) const {
    RowSites scale = state.sites;
    for (Index i = 0; i < q_.rows(); ++i) {
      const Vector A = state.covariance.row(i);
      scale.tau.row(i) = copies_[i] * tau_scale(q_, A);
      scale.nu.row(i) = copies_[i] * nu_scale(q_, A);
    }
    state.scale = flat(scale);
    const Matrix by_tau = (state.target.tau - state.sites.tau).cwiseProduct(scale.tau);
    const Matrix by_nu = (state.target.nu - state.sites.nu).cwiseProduct(scale.nu);
    const bool finite = by_tau.allFinite() && by_nu.allFinite() && state.log_Z.allFinite();
    state.residual =
        finite ? std::max(by_tau.rowwise().norm().maxCoeff(), by_nu.rowwise().norm().maxCoeff())
               : std::numeric_limits<double>::infinity();
  }

  RowSites sites_of(const Vector& x) const {
    const Index n = q_.rows(), tau = n * q_.site_size();
    return {by_row(x.head(tau), n), by_row(x.tail(x.size() - tau), n)};
  }

  // By an accelerated step, or where that leads astray by a plain one, halved until q is proper.
  std::optional<State> next_state(const State& from, double step, Anderson& accelerator) {
    constexpr double astray = 5.0;
    const Vector here = flat(from.sites), change = flat(from.target) - here;
    std::optional<State> next =
        evaluate(sites_of(accelerator.propose(here, change, from.scale, step)));
    if (!next || next->residual > astray * from.residual) {
      next.reset();
      accelerator.restart();
    }
    accelerator.remember(here, change);
    constexpr double shortest = 1e-4;
    for (; !next && step > shortest; step *= 0.5) next = evaluate(sites_of(here + step * change));
    return next;
  }

  // log Z_EP = -½ log|I + K T| + Σ_i w_i (log Z_i + normaliser_i + ½ ν_iᵀμ_i).
  double log_evidence(const State& state) const {
    double sum = -0.5 * q_.log_determinant();
    for (Index i = 0; i < q_.rows(); ++i) {
      const RowGaussian left_out{state.cavity_mean.row(i), state.cavity_covariance.row(i)};
      const Vector tau = state.sites.tau.row(i), nu = state.sites.nu.row(i);
      sum += copies_[i] * (state.log_Z[i] + site_normaliser(q_, left_out, tau, nu) +
                           0.5 * state.mean.row(i).dot(nu));
    }
    return sum;
  }

  Approximation finish(State state, Rung rung) {
    // The posterior may be at another state than the best one, or at none.
    const bool is_there = factored_.size() > 0 && factored_ == state.sites.tau;
    if (!is_there) {
      auto again = evaluate(state.sites);
      if (!again) again = evaluate({0.0 * state.sites.tau, 0.0 * state.sites.nu});
      if (!again) throw NumericalError("the likelihood has no finite moments under the prior");
      state = std::move(*again);
    }
    Approximation result;
    result.outcome = {.status = is_fixed_point(state) ? Status::converged : Status::not_converged,
                      .rung = rung,
                      .sweeps = sweeps_,
                      .residual = state.residual,
                      .negative_sites = q_.negative_sites(),
                      .jitter = q_.jitter()};
    result.log_evidence = log_evidence(state);
    if (!std::isfinite(result.log_evidence)) result.outcome.status = Status::not_converged;
    result.site_tau = flat(state.sites.tau);
    result.site_nu = flat(state.sites.nu);
    result.latent_mean = flat(state.mean);
    result.latent_variance = flat(state.covariance);
    result.cavity_mean = flat(state.cavity_mean);
    result.cavity_variance = flat(state.cavity_covariance);
    result.log_loo = state.log_Z;
    result.p_wrong = state.p_wrong;
    result.alpha = flat(state.alpha);
    result.likelihood_gradient = likelihood_gradient(state);
    return result;
  }

  // In ε, and in log v₂: ∂ log Z_i/∂v₂ = ½ (|g|² + tr H) with the gradient g and the Hessian H of
  // log Z_i in the cavity's mean, which are α/w and -(T - T A T) of one copy at a fixed point.
  Vector likelihood_gradient(const State& state) const {
    double by_noise = 0.0;
    for (Index i = 0; i < q_.rows(); ++i) {
      by_noise += state.alpha.row(i).squaredNorm() / copies_[i] -
                  copies_[i] * precision_trace(q_, state.sites.tau.row(i).transpose(),
                                               state.covariance.row(i).transpose());
    }
    const double v2 = wanted_.likelihood.noise_variance;
    return Vector{{copies_.dot(state.rate_gradient), 0.5 * v2 * by_noise}};
  }

  const Ep& engine_;
  const ClassProblem& wanted_;
  ClassProblem problem_;  // the one wanted, or where a path has come to
  Vector copies_;         // of each row
  Posterior& q_;
  Matrix prior_;
  Matrix factored_;  // precisions that the posterior holds; empty: none that are of use
  int sweeps_ = 0;
};

}  // namespace

Approximation multiclass_ep(const Ep& engine, const RobustMax& likelihood,
                            const Observations& observations, ClassPosterior posterior,
                            const std::optional<Sites>& warm_start) {
  const ClassProblem wanted{likelihood, observations};
  Approximation result =
      std::visit([&](auto& q) { return Loop(engine, wanted, q).run(warm_start); }, posterior);
  result.class_posterior = std::move(posterior);
  return result;
}

Vector covariance_gradient(const Approximation& approximation,
                           const std::vector<Covariance>& covariances, const Matrix& X) {
  return std::visit(
      [&](const auto& q) {
        return q.pullback(covariances, X, by_row(approximation.alpha, q.rows()));
      },
      approximation.class_posterior.value());
}

Approximation rebuilt(ClassPosterior posterior, Sites sites) {
  Approximation result;
  std::visit(
      [&](auto& q) {
        const bool proper = q.set_precisions(by_row(sites.tau, q.rows()));
        if (!proper) throw NumericalError("the sites do not give a proper posterior");
        const auto [alpha, mu] = q.mean(by_row(sites.nu, q.rows()));
        if (!alpha.allFinite() || !mu.allFinite()) {
          throw NumericalError("the sites do not give a finite posterior");
        }
        result.alpha = flat(alpha);
        result.latent_mean = flat(mu);
      },
      posterior);
  result.site_tau = std::move(sites.tau);
  result.site_nu = std::move(sites.nu);
  result.class_posterior = std::move(posterior);
  return result;
}

}  // namespace candor
