// SPDX-License-Identifier: MIT
#include <candor/inference/anderson.hpp>

#include <Eigen/QR>

namespace candor {

Sites Anderson::propose(const EpProblem& problem, const EpState& state, double step) const {
  const Index n = state.mean.size(), m = static_cast<Index>(history_.size());
  const Point now = point_at(state);
  Vector next = now.sites + step * now.residual;
  if (m > 0) {
    const Vector scale = stacked_scale(problem, state);
    Matrix delta_F(2 * n, m), delta_X(2 * n, m);
    for (Index j = 0; j < m; ++j) {
      delta_X.col(j) = now.sites - history_[static_cast<std::size_t>(j)].sites;
      delta_F.col(j) = now.residual - history_[static_cast<std::size_t>(j)].residual;
    }
    const Matrix scaled = scale.asDiagonal() * delta_F;
    const Vector gamma = scaled.colPivHouseholderQr().solve(scale.cwiseProduct(now.residual));
    if (gamma.allFinite()) next -= (delta_X + step * delta_F) * gamma;
  }
  return {next.head(n), next.tail(n)};
}

void Anderson::remember(const EpState& state) {
  history_.push_back(point_at(state));
  if (history_.size() > depth) history_.pop_front();
}

Anderson::Point Anderson::point_at(const EpState& state) {
  return {stacked(state.sites), stacked_change(state)};
}

}  // namespace candor
