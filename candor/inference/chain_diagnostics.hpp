// SPDX-License-Identifier: MIT
// Whether chains have forgotten where they began, and how many independent draws they are worth.
//
// Chains are split in halves.  With W the mean variance within them and B/S the variance of their
// means (S draws each),
//
//   var⁺ = (S-1)/S W + B/S,   R̂ = √(var⁺/W)
//   ρ_t = 1 - (W - mean autocovariance at lag t)/var⁺,   effective = (draws)/(1 + 2 Σ ρ_t)
//
// the sum over Geyer's initial monotone sequence: draws × lags, until correlations end.  R̂ and
// `effective` are of the draws' normal scores, R̂ the larger of theirs and that of |x - median|, so
// that heavy tails and chains that differ in scale alone are seen [VGSCB21].
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

struct ChainSummary {
  double mean = 0.0;
  double variance = 0.0;
  double r_hat = 1.0;           // ∞ where no chain has moved
  double effective = 0.0;       // draws; 0 where no chain has moved
  double standard_error = 0.0;  // of the mean; ∞ where no chain has moved
};

// Of a quantity that must vary: one column per chain, at least four draws each.
[[nodiscard]] ChainSummary summary_of(const Matrix& chains);

// Of the mean alone: its Monte Carlo standard error.  A constant, such as a probability of 0, has 0.
[[nodiscard]] double standard_error_of(const Matrix& chains);

}  // namespace candor
