// SPDX-License-Identifier: MIT
// Two classes separated by a circle, with some labels flipped: x₁² + x₂² > ½ on [-1, 1]².
#pragma once

#include <candor/likelihood/observations.hpp>
#include <candor/linalg/types.hpp>

#include <random>

namespace candor::testing_support {

struct Ring {
  Matrix X;
  Observations observations;
};

inline Ring draw_ring(Index n, double flips, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> side(-1.0, 1.0), share(0.0, 1.0);
  Ring ring{Matrix::NullaryExpr(n, 2, [&] { return side(random); }), {.y = Vector(n)}};
  for (Index i = 0; i < n; ++i) {
    const double label = ring.X.row(i).squaredNorm() > 0.5 ? 1.0 : -1.0;
    ring.observations.y[i] = share(random) < flips ? -label : label;
  }
  return ring;
}

}  // namespace candor::testing_support
