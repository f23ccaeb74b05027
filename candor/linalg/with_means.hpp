// SPDX-License-Identifier: MIT
// Inputs of which some cells are not known, which is NaN.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// X with 0, the mean of a standardised column, for every cell that is not known.
[[nodiscard]] inline Matrix with_means(const MatrixRef& X) {
  return X.array().isNaN().select(0.0, X);
}

}  // namespace candor
