// SPDX-License-Identifier: MIT
#include <candor/inference/elliptical_slice.hpp>

#include <cmath>
#include <numbers>

namespace candor {

double elliptical_slice(Vector& f, double log_at_f, const Vector& mean, const VectorRef& deviation,
                        const LogFactor& log_factor, Random& random) {
  const double threshold = log_at_f - random.exponential();
  double angle = 2.0 * std::numbers::pi * random.uniform();
  double low = angle - 2.0 * std::numbers::pi, high = angle;
  const Vector from = f - mean;
  // A bracket this narrow holds no other number than f, to rounding.
  constexpr double narrowest = 1e-14;
  while (high - low > narrowest) {
    const Vector moved = mean + std::cos(angle) * from + std::sin(angle) * deviation;
    const double log_moved = log_factor(moved);
    if (log_moved >= threshold) {
      f = moved;
      return log_moved;
    }
    (angle < 0.0 ? low : high) = angle;
    angle = low + (high - low) * random.uniform();
  }
  return log_at_f;
}

}  // namespace candor
