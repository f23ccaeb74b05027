// SPDX-License-Identifier: MIT
// Cells of a table that are not known: NaN.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

class UnknownCells {
 public:
  UnknownCells() = default;  // none
  explicit UnknownCells(const MatrixRef& X);

  [[nodiscard]] bool any() const { return mask_.size() > 0; }
  // 1 where a cell is not known, else 0; empty where every cell is known.
  [[nodiscard]] const Matrix& mask() const { return mask_; }
  // The same X with means for what is not known, which live as long as this does.
  [[nodiscard]] MatrixRef known(const MatrixRef& X) const { return any() ? MatrixRef(known_) : X; }

 private:
  Matrix mask_, known_;  // empty where all is known
};

}  // namespace candor
