// SPDX-License-Identifier: MIT
#include <candor/learning/mode.hpp>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <numbers>

namespace candor {
namespace {

// Narrow enough that the third derivative costs a few per cent of H, and log|H|/2 a few hundredths;
// EP's residual must then be small, since the difference is divided by this.
constexpr double difference_step = 0.03;
constexpr double difference_tolerance = 1e-4;

// ∂(gradient)/∂θ_i by a step to one side: to the other where a bound is near or inference fails.
Vector second_derivatives(Objective& objective, const Learned& learned, Index i,
                          const std::function<bool()>& keep_going) {
  const Theta& top = learned.theta;
  const Sites sites{learned.approximation.site_tau, learned.approximation.site_nu};
  const ThetaBounds bounds = objective.coordinates().bounds();
  for (const double step : {difference_step, -difference_step}) {
    if (keep_going && !keep_going()) break;
    Theta theta = top;
    theta.value[i] += step;
    theta = bounds.project(theta);
    const double width = theta.value[i] - top.value[i];
    if (std::abs(width) < 0.5 * difference_step) continue;
    const auto e = objective.evaluate(theta, sites, With::gradient, difference_tolerance);
    if (e) return (e->gradient - learned.gradient) / width;
  }
  return Vector::Zero(top.size());
}

// H with every eigenvalue at least that of a normal of two log units: what lies beyond is for the
// bounds to say, not for a parabola.
Index raise_to_precision(Matrix& H) {
  constexpr double least = 0.25;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  const Vector values = eigen.eigenvalues().cwiseMax(least);
  const auto& V = eigen.eigenvectors();
  H = V * values.asDiagonal() * V.transpose();
  return (eigen.eigenvalues().array() < least).count();
}

}  // namespace

Theta Mode::along(const Theta& top, Index rate, double move) const {
  Theta theta = top;
  theta.value[rates[static_cast<std::size_t>(rate)]] += move;
  if (!smooth.empty()) theta.value(smooth) += precision.ldlt().solve(slopes.col(rate)) * move;
  return theta;
}

Mode mode_of(const Learned& learned, const TrainingSet& data,
             const std::function<bool()>& keep_going) {
  Objective objective(learned.coordinates, learned.prior, data);
  Mode mode;
  for (Index i = 0; i < learned.theta.size(); ++i) {
    const bool is_rate =
        objective.coordinates().parameters()[static_cast<std::size_t>(i)].coordinate ==
        Coordinate::logit;
    (is_rate ? mode.rates : mode.smooth).push_back(i);
  }
  const Index p = learned.theta.size();
  Matrix second = Matrix::Zero(p, p);  // flat where the search, too, has no gradient at the top
  if (learned.gradient.size() == p) {
    for (const Index i : mode.smooth) {
      second.col(i) = second_derivatives(objective, learned, i, keep_going);
    }
  }
  const auto m = static_cast<Index>(mode.smooth.size());
  mode.precision = Matrix(m, m);
  mode.slopes = Matrix(m, static_cast<Index>(mode.rates.size()));
  for (Index j = 0; j < m; ++j) {
    const Index column = mode.smooth[static_cast<std::size_t>(j)];
    mode.precision.col(j) = -second.col(column)(mode.smooth);
    mode.slopes.row(j) = second.col(column)(mode.rates).transpose();
  }
  mode.precision = Matrix(0.5 * (mode.precision + mode.precision.transpose()));
  if (m > 0) {
    mode.raised = raise_to_precision(mode.precision);
    mode.log_volume = 0.5 * static_cast<double>(m) * std::log(2.0 * std::numbers::pi) -
                      mode.precision.llt().matrixL().toDenseMatrix().diagonal().array().log().sum();
  }
  mode.evaluations = objective.evaluations();
  mode.sweeps = objective.sweeps();
  return mode;
}

}  // namespace candor
