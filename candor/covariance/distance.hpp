// SPDX-License-Identifier: MIT
// Squared distances in lengthscales, shared by the stationary covariances:
//
//   R²_ij = Σ_d D_d(x_id, z_jd) / ℓ_d²,   D_d = (x - z)² on a continuous column, 1 - δ(x, z) on a
//                                         discrete one
//
// Equal rows are at distance exactly 0, and near-duplicates keep their relative accuracy.
#pragma once

#include <candor/covariance/row_pairs.hpp>

#include <vector>

namespace candor {

struct ScaledDistance {
  const Vector& lengthscale;           // one entry, or one per column
  const std::vector<Index>& discrete;  // columns compared by equality

  void evaluate(const RowPairs& pairs, MatrixOut R2) const;
  // Fills gradient with ∂L/∂log ℓ from R2_bar = ∂L/∂R², which is spoilt.
  void pullback(const RowPairs& pairs, const MatrixRef& R2, MatrixOut R2_bar,
                GradientRef gradient) const;
};

// The columns of a table split by kind, with their inverse lengthscales.
struct ColumnScales {
  struct Column {
    Index index;
    double inverse_lengthscale;
  };
  std::vector<Column> continuous;
  std::vector<Column> discrete;

  ColumnScales(Index columns, const Vector& lengthscale,
               const std::vector<Index>& discrete_columns);
};

}  // namespace candor
