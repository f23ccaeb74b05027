// SPDX-License-Identifier: MIT
#include <candor/likelihood/bends.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace candor {

// The poles of σ.
std::array<Bend, 2> bends_of(const Logistic& /*likelihood*/, const Observation& /*row*/) {
  constexpr Bend poles{0.0, std::numbers::pi};
  return {poles, poles};
}

// wrong + (1 - missed - wrong) Φ(z) has zeros next to where its terms are equal, about π/|z| away,
// and where Φ has them, the nearest at 1.9 ± 2.8i.
std::array<Bend, 2> bends_of(const FlippedStep& step, double noise_variance) {
  const double sd = std::sqrt(noise_variance);
  const Bend middle{0.0, 2.0 * sd};
  if (step.wrong == 0.0) return {middle, middle};
  // Where Φ falls below the share of flipped labels, so that log p turns flat.
  const double flat = normal_quantile(std::min(0.5, step.wrong / (1.0 - step.missed - step.wrong)));
  return {Bend{sd * flat, sd * std::numbers::pi / (1.0 - flat)}, middle};
}

}  // namespace candor
