// SPDX-License-Identifier: MIT
#include <candor/inference/path_position.hpp>

#include <algorithm>
#include <cmath>

namespace candor {

double noise_along(double t, double from, double to) {
  // The papers' step, v₂ = 0, is the limit: 1e-10 of the start is nothing beside the prior.
  const double last = std::max(to, 1e-10 * from);
  return t >= 1.0 ? to : std::exp((1.0 - t) * std::log(from) + t * std::log(last));
}

// Through the fourth root: most happens at small rates.
double rate_along(double t, double from, double to) {
  if (t >= 1.0) return to;
  const double root = (1.0 - t) * std::pow(from, 0.25) + t * std::pow(to, 0.25);
  return std::pow(root, 4.0);
}

}  // namespace candor
