// SPDX-License-Identifier: MIT
#include <candor/inference/softmax_laplace.hpp>

#include <candor/likelihood/softmax.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace candor {
namespace {

// A point of the search: f_c = K_c α_c.
struct Point {
  Matrix alpha, f;
  Matrix slope;      // y - π
  double objective;  // Ψ(f) = log p(y|f) - ½ Σ_c α_cᵀ f_c
};

Point point_at(const std::vector<int>& labels, Matrix alpha, Matrix f) {
  Matrix slope(f.rows(), f.cols());
  double objective = -0.5 * alpha.cwiseProduct(f).sum();
  for (Index i = 0; i < f.rows(); ++i) {
    const Vector f_i = f.row(i);
    const Index y = labels[static_cast<std::size_t>(i)];
    slope.row(i) = log_softmax_gradient(f_i, y);
    objective += log_softmax(f_i, y);
  }
  return {std::move(alpha), std::move(f), std::move(slope), objective};
}

Matrix probabilities_at(const Matrix& f) {
  Matrix pi(f.rows(), f.cols());
  for (Index i = 0; i < f.rows(); ++i) pi.row(i) = softmax(f.row(i).transpose());
  return pi;
}

// Newton's step from any f: with r = y - π and P = (K + W⁻¹)⁻¹,
//   α = (I + W K)⁻¹ (W f + r) = r + P (f - K r).
// The second form multiplies P by what is left to do, so that its rounding errors vanish at the
// mode.
Matrix newton_alpha(SoftmaxPosterior& posterior, const Point& at) {
  posterior.set_probabilities(probabilities_at(at.f));
  return at.slope + posterior.apply_precision(at.f - posterior.apply_prior(at.slope));
}

// The whole step, halved until the objective does not fall (by more than rounding).
std::optional<Point> newton_step(const std::vector<int>& labels, SoftmaxPosterior& posterior,
                                 const Point& at) {
  const Matrix alpha = newton_alpha(posterior, at);
  const Matrix f = posterior.apply_prior(alpha);
  const double slack = 1e-12 * (1.0 + std::abs(at.objective));
  for (double step = 1.0; step > 1e-10; step *= 0.5) {
    Point next = point_at(labels, at.alpha + step * (alpha - at.alpha), at.f + step * (f - at.f));
    if (next.objective >= at.objective - slack) return next;
  }
  return std::nullopt;
}

// What Newton's step from the given f leads to, or the prior's mean where that is better.
Point first_point(const std::vector<int>& labels, SoftmaxPosterior& posterior,
                  const std::optional<Matrix>& warm_start) {
  const Matrix zero = Matrix::Zero(posterior.size(), posterior.classes());
  Point at_prior = point_at(labels, zero, zero);
  if (!warm_start) return at_prior;
  Matrix alpha = newton_alpha(posterior, point_at(labels, zero, *warm_start));
  Matrix f = posterior.apply_prior(alpha);
  Point near = point_at(labels, std::move(alpha), std::move(f));
  return near.objective > at_prior.objective ? near : at_prior;
}

// At the mode α = y - π: how far from it, in posterior standard deviations, those of f_c(x_i) as if
// nothing else were known.
double distance_from_stationary(const SoftmaxPosterior& posterior, const Point& at) {
  const Matrix pi = probabilities_at(at.f);
  const Matrix curvature = pi.array() * (1.0 - pi.array());
  const Matrix precision = posterior.prior_variance().cwiseMax(1e-150).cwiseInverse() + curvature;
  const Matrix distance = (at.alpha - at.slope).cwiseQuotient(precision.cwiseSqrt());
  return distance.allFinite() ? distance.lpNorm<Eigen::Infinity>()
                              : std::numeric_limits<double>::infinity();
}

void check_input(const SoftmaxLaplace& engine, const Matrix& X, const std::vector<int>& labels,
                 Index classes, const std::optional<Matrix>& warm_start) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_iterations", engine.max_iterations);
  check_same_size("rows of X", X.rows(), "labels", std::ssize(labels));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0 && labels[i] < classes) continue;
    throw InvalidInput("label of row " + std::to_string(i) + " is " + std::to_string(labels[i]) +
                       ": it must be at least 0 and less than the number of classes, " +
                       std::to_string(classes));
  }
  if (!warm_start) return;
  check_same_size("rows of warm_start", warm_start->rows(), "labels", std::ssize(labels));
  check_same_size("columns of warm_start", warm_start->cols(), "classes", classes);
  check_all_finite("warm_start", *warm_start);
}

SoftmaxApproximation finish(SoftmaxPosterior posterior, Point mode, Outcome outcome) {
  Matrix pi = probabilities_at(mode.f);
  posterior.set_probabilities(pi);
  outcome.jitter = posterior.jitter();
  const double evidence = mode.objective - 0.5 * posterior.log_determinant();
  if (!std::isfinite(evidence)) outcome.status = Status::not_converged;
  return {.outcome = outcome,
          .log_evidence = evidence,
          .mode = std::move(mode.f),
          .probabilities = std::move(pi),
          .alpha = std::move(mode.alpha),
          .posterior = std::move(posterior)};
}

}  // namespace

SoftmaxApproximation infer(const SoftmaxLaplace& engine, const std::vector<Covariance>& covariances,
                           const Matrix& X, const std::vector<int>& labels, Index classes,
                           Threads threads, const std::optional<Matrix>& warm_start) {
  check_input(engine, X, labels, classes, warm_start);
  SoftmaxPosterior posterior(covariances, X, classes, threads);
  Point mode = first_point(labels, posterior, warm_start);
  Outcome outcome{.rung = Rung::newton,
                  .sweeps = warm_start ? 1 : 0,
                  .residual = distance_from_stationary(posterior, mode)};
  while (outcome.residual > engine.tolerance && outcome.sweeps < engine.max_iterations) {
    ++outcome.sweeps;
    auto next = newton_step(labels, posterior, mode);
    if (!next) break;
    mode = std::move(*next);
    outcome.residual = distance_from_stationary(posterior, mode);
  }
  if (outcome.residual <= engine.tolerance) outcome.status = Status::converged;
  return finish(std::move(posterior), std::move(mode), outcome);
}

}  // namespace candor
