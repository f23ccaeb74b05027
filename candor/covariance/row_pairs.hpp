// SPDX-License-Identifier: MIT
// The pairs of rows that a block of a covariance matrix ranges over.
#pragma once

#include <candor/linalg/types.hpp>

#include <algorithm>

namespace candor {

// Whether rows carry their own latent noise (rows that were observed) or not (test points).
enum class Rows { observed, test };

// Entry (i, j) of the block belongs to row i of X and row j of Z.  Noise is by row index, never by
// value: it appears only where both are the same row of one table of observed rows.  Likewise what
// is not known of a row (NaN) is the same cell only there.
struct RowPairs {
  MatrixRef X;
  MatrixRef Z;
  bool same_table = false;
  Index first_row = 0;  // where X and Z start in their common table
  Index first_col = 0;
  bool all_known = false;  // no cell is NaN: nobody need look for one

  [[nodiscard]] Index rows() const { return X.rows(); }
  [[nodiscard]] Index cols() const { return Z.rows(); }
  [[nodiscard]] Index inputs() const { return X.cols(); }

  // Calls visit(i, j) for every entry on the diagonal of the table's own covariance.
  template <class Visit>
  void for_each_same_row(Visit visit) const {
    if (!same_table) return;
    const Index first = std::max(first_row, first_col);
    const Index end = std::min(first_row + rows(), first_col + cols());
    for (Index row = first; row < end; ++row) visit(row - first_row, row - first_col);
  }
};

// The part of a gradient that one covariance fills.
using GradientRef = Eigen::Ref<Vector>;

}  // namespace candor
