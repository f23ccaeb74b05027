// SPDX-License-Identifier: MIT
// Anderson's acceleration of a fixed-point iteration: the next point is the combination of the last
// few that would be a fixed point if the map were affine [WN11, algorithm AA].  The history
// is a few vectors.
#pragma once

#include <candor/linalg/types.hpp>

#include <deque>

namespace candor {

class Anderson {
 public:
  explicit Anderson(std::size_t depth = 5) : depth_(depth) {}  // steps that it looks back

  // The point to try after one at which the map proposes this change, moving by the share `step` of
  // it; `scale` holds the units in which changes of the entries are compared.
  [[nodiscard]] Vector propose(const Vector& point, const Vector& change, const Vector& scale,
                               double step) const;

  void remember(Vector point, Vector change);

  // Forgets the past: the next proposal is a plain damped step.
  void restart() { history_.clear(); }

 private:
  struct Visit {
    Vector point, change;
  };

  std::size_t depth_;
  std::deque<Visit> history_;
};

}  // namespace candor
