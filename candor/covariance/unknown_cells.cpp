// SPDX-License-Identifier: MIT
#include <candor/covariance/unknown_cells.hpp>

namespace candor {

UnknownCells::UnknownCells(const MatrixRef& X) {
  if (!X.hasNaN()) return;
  mask_ = X.array().isNaN().cast<double>();
  known_ = X.array().isNaN().select(0.0, X);
}

}  // namespace candor
