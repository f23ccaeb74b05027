// SPDX-License-Identifier: MIT
#include <candor/inference/anderson.hpp>

#include <Eigen/QR>

#include <utility>

namespace candor {

Vector Anderson::propose(const Vector& point, const Vector& change, const Vector& scale,
                         double step) const {
  Vector next = point + step * change;
  const auto m = static_cast<Index>(history_.size());
  if (m == 0) return next;
  Matrix delta_F(point.size(), m), delta_X(point.size(), m);
  for (Index j = 0; j < m; ++j) {
    delta_X.col(j) = point - history_[static_cast<std::size_t>(j)].point;
    delta_F.col(j) = change - history_[static_cast<std::size_t>(j)].change;
  }
  const Matrix scaled = scale.asDiagonal() * delta_F;
  const Vector gamma = scaled.colPivHouseholderQr().solve(scale.cwiseProduct(change));
  if (gamma.allFinite()) next -= (delta_X + step * delta_F) * gamma;
  return next;
}

void Anderson::remember(Vector point, Vector change) {
  history_.push_back({std::move(point), std::move(change)});
  if (history_.size() > depth_) history_.pop_front();
}

}  // namespace candor
