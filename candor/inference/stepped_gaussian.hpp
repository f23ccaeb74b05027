// SPDX-License-Identifier: MIT
// A Gaussian with a step in every coordinate, and a move that leaves it as it is:
//
//   p(u) ∝ N(u; 0, Γ) Π exp(rise_i [y_i u_i > 0])
//
// Hamiltonian dynamics whose paths are known in closed form [PP14, section 2]: with a velocity
// u̇ ~ N(0, Γ),
//
//   u(t) = u cos t + u̇ sin t,   0 ≤ t ≤ π/2
//
// until a coordinate j comes to 0, where the speed across the step is c = u̇_j/√Γ_jj, in units of the
// whitened coordinates, and becomes c':
//
//   u̇ ← u̇ + (c' - c) Γ e_j/√Γ_jj
//
// The probable side is the lower one of the energy: a path that leaves it has c'² = c² - 2 rise_j,
// or is reflected, c' = -c, where that is below 0; one that enters it gains as much
// [PP13, section 2].  Without steps, u(π/2) has forgotten u.  O(n) for each step met, usually fewer
// than n of them.
#pragma once

#include <candor/linalg/types.hpp>

#include <utility>

namespace candor {

class SteppedGaussian {
 public:
  // Both triangles of Γ; y of ±1.
  SteppedGaussian(Matrix covariance, Vector y)
      : covariance_(std::move(covariance)), y_(std::move(y)) {}

  // rise ≥ 0, +∞ where y_i u_i < 0 is impossible.  `velocity` is to be drawn from N(0, Γ);
  // afterwards it is that at the end of the path.  A path that meets most_meetings() steps, as
  // between two that are nearly parallel and must not be crossed, is taken back: then both stay,
  // which leaves p as it is too, since the path back would meet as many.  From impossible u,
  // coordinates cross to the possible side as if there were no step, and stay there.  Returns how
  // many steps it met, for those who want to know.
  Index move(Vector& u, Vector& velocity, const Vector& rise) const;

  [[nodiscard]] Index most_meetings() const { return 1000 + 50 * covariance_.rows(); }

 private:
  Matrix covariance_;
  Vector y_;
};

}  // namespace candor
