// SPDX-License-Identifier: MIT
// log Z of a flipped step, Z = wrong Φ(-z) + (1 - missed) Φ(z), and what has which share of it.
#pragma once

#include <candor/likelihood/flipped_step.hpp>

#include <cmath>

namespace candor {

struct FlippedStepShares {
  double log_Z;
  double rho;    // (1 - missed - wrong) Φ(z)/Z
  double omega;  // wrong/Z
  double same;   // Φ(z)/Z
  double other;  // Φ(-z)/Z
};

// From Φ(z) and Φ(-z), where Z cannot underflow.  1 - Z is a sum of positive terms too: log Z keeps
// its digits near 0.  Inline: the innermost loop of expected log densities.
[[nodiscard]] inline FlippedStepShares shares_of(const FlippedStep& step, double same,
                                                 double other) {
  const double Z = step.wrong * other + (1.0 - step.missed) * same;
  const double rest = step.missed * same + (1.0 - step.wrong) * other;
  const double log_Z = rest < 0.5 ? std::log1p(-rest) : std::log(Z);
  const double keep = 1.0 - step.missed - step.wrong;
  return {log_Z, keep * same / Z, step.wrong / Z, same / Z, other / Z};
}

}  // namespace candor
