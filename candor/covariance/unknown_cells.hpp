// SPDX-License-Identifier: MIT
// Cells of a table that are not known: NaN.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

class UnknownCells {
 public:
  explicit UnknownCells(const MatrixRef& X);

  [[nodiscard]] bool any() const { return mask_.size() > 0; }
  // 1 where a cell is not known, else 0; empty where all are.
  [[nodiscard]] const Matrix& mask() const { return mask_; }
  // X with 0, the mean of a standardised column, for what is not known.
  [[nodiscard]] MatrixRef known(const MatrixRef& X) const { return any() ? MatrixRef(known_) : X; }

 private:
  Matrix mask_, known_;  // empty where all is known
};

}  // namespace candor
