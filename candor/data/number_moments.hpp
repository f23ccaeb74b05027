// SPDX-License-Identifier: MIT
// Internal: where the numbers of a column lie, how far they spread, and how heavy their tails are.
#pragma once

#include <span>

namespace candor {

struct NumberMoments {
  double mean = 0.0;
  double sd = 0.0;
  double kurtosis = 0.0;
};

// Of values divided by the largest, so that no square leaves the range of doubles.  A value of weight
// k counts as k of them; no weights: all 1.
[[nodiscard]] NumberMoments moments_of(std::span<const double> values,
                                       std::span<const double> weights = {});

}  // namespace candor
