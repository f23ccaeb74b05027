// SPDX-License-Identifier: MIT
#include <candor/inference/anderson.hpp>

#include <Eigen/QR>

namespace candor {
namespace {

Vector stacked(const Vector& tau, const Vector& nu) {
  Vector x(tau.size() + nu.size());
  x << tau, nu;
  return x;
}

}  // namespace

Sites Anderson::propose(const EpState& state, double step) const {
  const Index n = state.mean.size(), m = static_cast<Index>(history_.size());
  const Point now = point_at(state);
  Vector next = now.sites + step * now.residual;
  if (m > 0) {
    // Least squares in the units in which convergence is judged: A_ii for τ, √A_ii for ν.
    const Vector scale = stacked(state.variance, state.variance.cwiseSqrt());
    Matrix dF(2 * n, m), dX(2 * n, m);
    for (Index j = 0; j < m; ++j) {
      dX.col(j) = now.sites - history_[static_cast<std::size_t>(j)].sites;
      dF.col(j) = now.residual - history_[static_cast<std::size_t>(j)].residual;
    }
    const Matrix scaled = scale.asDiagonal() * dF;
    const Vector gamma = scaled.colPivHouseholderQr().solve(scale.cwiseProduct(now.residual));
    if (gamma.allFinite()) next -= (dX + step * dF) * gamma;
  }
  return {next.head(n), next.tail(n)};
}

void Anderson::remember(const EpState& state) {
  history_.push_back(point_at(state));
  if (history_.size() > depth) history_.pop_front();
}

Anderson::Point Anderson::point_at(const EpState& state) {
  return {stacked(state.sites.tau, state.sites.nu),
          stacked(state.target.tau - state.sites.tau, state.target.nu - state.sites.nu)};
}

}  // namespace candor
