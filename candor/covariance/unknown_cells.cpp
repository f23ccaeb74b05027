// SPDX-License-Identifier: MIT
#include <candor/covariance/unknown_cells.hpp>

#include <candor/linalg/with_means.hpp>

namespace candor {

UnknownCells::UnknownCells(const MatrixRef& X) {
  if (!X.hasNaN()) return;
  mask_ = X.array().isNaN().cast<double>();
  known_ = with_means(X);
}

}  // namespace candor
