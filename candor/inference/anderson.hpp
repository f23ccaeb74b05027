// SPDX-License-Identifier: MIT
// Anderson's acceleration of a fixed-point iteration: the next point is the combination of the last
// few that would be a fixed point if the map were affine [WN11, algorithm AA].  The history
// is a few vectors.
#pragma once

#include <candor/inference/ep_state.hpp>

#include <deque>

namespace candor {

class Anderson {
 public:
  // The sites to try after `state`, moving by the share `step` of each proposed change.
  [[nodiscard]] Sites propose(const EpProblem& problem, const EpState& state, double step) const;

  void remember(const EpState& state);

  // Forgets the past: the next proposal is a plain damped step.
  void restart() { history_.clear(); }

 private:
  struct Point {
    Vector sites;  // (τ, ν) and (Δτ, Δν) stacked, unscaled
    Vector residual;
  };
  [[nodiscard]] static Point point_at(const EpState& state);

  static constexpr std::size_t depth = 5;
  std::deque<Point> history_;
};

}  // namespace candor
