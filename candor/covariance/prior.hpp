// SPDX-License-Identifier: MIT
// Functions drawn from the prior f ~ N(0, K(X, X)), noise of the observed rows included.
#pragma once

#include <candor/covariance/covariance.hpp>

#include <cstdint>

namespace candor {

struct PriorDraws {
  Matrix values;  // n×count, one draw per column
  double jitter;  // relative, added to the diagonal (linalg/cholesky.hpp)
};

// The same seed gives the same draws.  InvalidInput for a covariance or table that cannot be
// evaluated or a negative count; NumericalError when K has no Cholesky factor at the largest
// jitter.
[[nodiscard]] PriorDraws draw_from_prior(const Covariance& covariance, const Matrix& X, Index count,
                                         std::uint64_t seed);

}  // namespace candor
