// SPDX-License-Identifier: MIT
// Squared distances in lengthscales, shared by the stationary covariances:
//
//   R²_ij = Σ_d D_d(x_id, z_jd) / ℓ_d²,   D_d = (x - z)² on a continuous column, 1 - δ(x, z) on a
//                                         discrete one
//
// Rows that are known and equal are at distance exactly 0, and near-duplicates keep their relative
// accuracy.
//
// A number that is not known is NaN.  Its column is taken to have mean 0 and variance 1, as
// standardised ones have, and D_d is what is expected: 1 + z² from a known z, 2 from another that
// is not known, 0 from the same row; of a discrete column 1, 1 and 0.  These are distances, too:
// every such cell lies at 0, moved by 1 in a direction of its own.  So covariances stay positive
// definite, and the latent value of such a row is as uncertain as the column makes it
// (docs/decisions/0020-unknown-numbers.md).
#pragma once

#include <candor/covariance/row_pairs.hpp>
#include <candor/covariance/unknown_cells.hpp>

#include <limits>
#include <vector>

namespace candor {

// Alone in a list of columns: all of them, written `all` in text.
inline constexpr Index every_column = std::numeric_limits<Index>::max();

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

// The distances of one block of pairs.  Keeps what evaluating them and differentiating them share.
class ScaledDistance {
 public:
  // `lengthscale` holds one entry, or one per column; `discrete` the columns compared by equality.
  // The pairs must outlive the distances.
  ScaledDistance(const RowPairs& pairs, const Vector& lengthscale,
                 const std::vector<Index>& discrete);
  ScaledDistance(const ScaledDistance&) = delete;  // pairs_ refer to this one's own rows
  ScaledDistance& operator=(const ScaledDistance&) = delete;

  void evaluate(MatrixOut R2);
  // Fills gradient with ∂L/∂log ℓ from R2_bar = ∂L/∂R², which is spoilt, and the sums of its
  // columns, where R2 was evaluated.
  void pullback(const MatrixRef& R2, MatrixOut R2_bar, Vector column_sums,
                GradientRef gradient) const;

 private:
  // The continuous columns of both sides in lengthscales, about a common centre.
  struct Inputs {
    Matrix U, V;                  // rows × columns
    Vector U_squares, V_squares;  // |u_i|², |v_j|²
  };
  struct Pair {
    Index row, col;
  };

  [[nodiscard]] bool has_unknown() const { return unknown_X_.any() || unknown_Z_.any(); }
  void add_unknown(MatrixOut R2) const;
  [[nodiscard]] Vector unknown_contraction(const MatrixRef& G, const Vector& column_sums) const;
  [[nodiscard]] Inputs scaled_inputs() const;
  void product_distances(MatrixOut R2) const;
  [[nodiscard]] std::vector<Pair> find_close_pairs(const MatrixRef& R2) const;
  [[nodiscard]] Vector product_contraction(MatrixOut G, Vector column_sums) const;

  UnknownCells unknown_X_, unknown_Z_;
  const RowPairs& given_;  // for equality: what is not known equals nothing
  RowPairs pairs_;         // with the mean for what is not known
  bool shared_lengthscale_;
  ColumnScales scales_;
  Inputs inputs_;            // empty where differences of columns are faster than products
  std::vector<Pair> close_;  // pairs too close for the expanded square
};

}  // namespace candor
