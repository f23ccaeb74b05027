// SPDX-License-Identifier: MIT
#include <candor/covariance/distance.hpp>

#include <candor/covariance/elementwise.hpp>
#include <candor/linalg/blas.hpp>

#include <algorithm>
#include <limits>

namespace candor {
namespace {

using Column = ColumnScales::Column;

// Above so many continuous columns a matrix product is faster than differences of columns.
constexpr std::size_t max_direct_distance = 8;
constexpr std::size_t max_direct_pullback = 3;

// |u|² + |v|² - 2uᵀv loses the digits by which R² is smaller than |u|² + |v|².  Where it is smaller
// than this share, R² is computed from differences instead; elsewhere at most two digits are lost.
constexpr double cancelled_share = 0.02;

// Scaled inputs stay where their squares and the sums of those do not overflow.
constexpr double max_scaled_input = 1e120;

// Beyond this every covariance here is 0 to working precision, or flat in R².
constexpr double max_squared_distance = 1e250;

// (x_ic - z_jc)²/ℓ_c², finite whatever the inputs, so that a weight of 0 leaves nothing of it.
double squared_difference(const RowPairs& pairs, Column column, Index i, Index j) {
  const auto [c, scale] = column;
  const double difference = (pairs.X(i, c) - pairs.Z(j, c)) * scale;
  return std::min(difference * difference, max_squared_distance);
}

double squared_distance(const RowPairs& pairs, const std::vector<Column>& columns, Index i,
                        Index j) {
  double sum = 0.0;
  for (const Column column : columns) sum += squared_difference(pairs, column, i, j);
  return std::min(sum, max_squared_distance);
}

void direct_distances(const RowPairs& pairs, const std::vector<Column>& columns, MatrixOut R2) {
  for (Index j = 0; j < pairs.cols(); ++j) {
    R2.col(j).setZero();
    for (const auto [c, scale] : columns) {
      add_squared_differences(pairs.X.col(c), pairs.Z(j, c), scale, R2.col(j));
    }
  }
}

// The continuous columns of both sides in lengthscales, about a common centre.
struct ScaledInputs {
  Matrix U, V;                  // rows × columns
  Vector U_squares, V_squares;  // |u_i|², |v_j|²

  ScaledInputs(const RowPairs& pairs, const std::vector<Column>& columns)
      : U(pairs.rows(), columns.size()), V(pairs.cols(), columns.size()) {
    Index k = 0;
    for (const auto [c, scale] : columns) {
      const double centre = 0.5 * pairs.X.col(c).mean() + 0.5 * pairs.Z.col(c).mean();
      U.col(k) = scaled(pairs.X.col(c), centre, scale);
      V.col(k) = scaled(pairs.Z.col(c), centre, scale);
      ++k;
    }
    U_squares = U.rowwise().squaredNorm();
    V_squares = V.rowwise().squaredNorm();
  }

  // Calls visit(i, j) where R2 says that the pair is too close for the expanded square.
  template <class Visit>
  void for_each_cancelled(const MatrixRef& R2, Visit visit) const {
    // Most blocks hold no such pair, and one comparison tells.
    if (R2.minCoeff() > cancelled_share * (U_squares.maxCoeff() + V_squares.maxCoeff())) return;
    for (Index j = 0; j < R2.cols(); ++j) {
      const auto bound = cancelled_share * (U_squares.array() + V_squares[j]);
      if ((R2.col(j).array() - bound).minCoeff() > 0.0) continue;
      for (Index i = 0; i < R2.rows(); ++i) {
        if (!(R2(i, j) > cancelled_share * (U_squares[i] + V_squares[j]))) visit(i, j);
      }
    }
  }

 private:
  static Vector scaled(const VectorRef& column, double centre, double scale) {
    return ((column.array() - centre) * scale).max(-max_scaled_input).min(max_scaled_input);
  }
};

void product_distances(const RowPairs& pairs, const std::vector<Column>& columns, MatrixOut R2) {
  const ScaledInputs inputs(pairs, columns);
  // [-2U, |u|², 1] [V, 1, |v|²]ᵀ: the whole expansion in one product.
  const Index d = inputs.U.cols();
  Matrix left(R2.rows(), d + 2), right(R2.cols(), d + 2);
  left << -2.0 * inputs.U, inputs.U_squares, Vector::Ones(R2.rows());
  right << inputs.V, Vector::Ones(R2.cols()), inputs.V_squares;
  blas::gemm(1.0, left, blas::Op::none, right, blas::Op::transpose, 0.0, R2);
  inputs.for_each_cancelled(
      R2, [&](Index i, Index j) { R2(i, j) = squared_distance(pairs, columns, i, j); });
}

void add_discrete_distances(const RowPairs& pairs, const std::vector<Column>& columns,
                            MatrixOut R2) {
  for (const auto [c, scale] : columns) {
    const double weight = scale * scale;
    const auto x = pairs.X.col(c);
    for (Index j = 0; j < pairs.cols(); ++j) {
      const double z = pairs.Z(j, c);
      for (Index i = 0; i < pairs.rows(); ++i) R2(i, j) += x[i] != z ? weight : 0.0;
    }
  }
}

// Σ_ij G_ij (x_ic - z_jc)²/ℓ_c², differences formed one by one.
double direct_contraction(const RowPairs& pairs, const MatrixRef& G, Column column) {
  const auto [c, scale] = column;
  double sum = 0.0;
  for (Index j = 0; j < pairs.cols(); ++j) {
    const auto difference = (pairs.X.col(c).array() - pairs.Z(j, c)) * scale;
    sum += (G.col(j).array() * difference.square().min(max_squared_distance)).sum();
  }
  return sum;
}

double discrete_contraction(const RowPairs& pairs, const MatrixRef& G, Column column) {
  const auto [c, scale] = column;
  const auto x = pairs.X.col(c);
  double sum = 0.0;
  for (Index j = 0; j < pairs.cols(); ++j) {
    const double z = pairs.Z(j, c);
    double different = 0.0;
    for (Index i = 0; i < pairs.rows(); ++i) different += x[i] != z ? G(i, j) : 0.0;
    sum += different;
  }
  return sum * std::min(scale * scale, max_squared_distance);
}

// The same sums for many columns at once:
//   Σ_ij G_ij (u_ic - v_jc)² = Σ_i (G1)_i u_ic² + Σ_j (Gᵀ1)_j v_jc² - 2 Σ_i u_ic (G V)_ic,
// one product instead of a pass over G per column.  Close pairs, where this cancels, are taken out
// of G and summed directly; for the others the error is a small multiple of rounding in G_ij R²_ij,
// also where discrete columns contribute most of R².
Vector product_contraction(const RowPairs& pairs, const std::vector<Column>& columns,
                           const MatrixRef& R2, MatrixOut G) {
  const ScaledInputs inputs(pairs, columns);
  Vector sums = Vector::Zero(inputs.U.cols());
  inputs.for_each_cancelled(R2, [&](Index i, Index j) {
    for (Index k = 0; k < sums.size(); ++k) {
      const Column column = columns[static_cast<std::size_t>(k)];
      sums[k] += G(i, j) * squared_difference(pairs, column, i, j);
    }
    G(i, j) = 0.0;
  });
  const Index d = inputs.V.cols();
  Matrix V_1(inputs.V.rows(), d + 1), G_V_1(G.rows(), d + 1);  // G [V, 1]: products and row sums
  V_1 << inputs.V, Vector::Ones(inputs.V.rows());
  blas::gemm(1.0, G, blas::Op::none, V_1, blas::Op::none, 0.0, G_V_1);
  const Vector col_mass = blas::gemv(G, blas::Op::transpose, Vector::Ones(G.rows()));
  sums += inputs.U.cwiseAbs2().transpose() * G_V_1.col(d);
  sums += inputs.V.cwiseAbs2().transpose() * col_mass;
  sums -= 2.0 * inputs.U.cwiseProduct(G_V_1.leftCols(d)).colwise().sum().transpose();
  return sums;
}

}  // namespace

ColumnScales::ColumnScales(Index columns, const Vector& lengthscale,
                           const std::vector<Index>& discrete_columns) {
  for (Index c = 0; c < columns; ++c) {
    // The inverse of a denormal overflows, and 0 × ∞ is no distance between equal rows.
    const double scale = std::min(1.0 / lengthscale[lengthscale.size() == 1 ? 0 : c],
                                  std::numeric_limits<double>::max());
    const bool is_discrete = std::ranges::find(discrete_columns, c) != discrete_columns.end();
    (is_discrete ? discrete : continuous).push_back({c, scale});
  }
}

void ScaledDistance::evaluate(const RowPairs& pairs, MatrixOut R2) const {
  const ColumnScales scales(pairs.inputs(), lengthscale, discrete);
  if (scales.continuous.size() > max_direct_distance) {
    product_distances(pairs, scales.continuous, R2);  // bounded already
    if (scales.discrete.empty()) return;
  } else {
    direct_distances(pairs, scales.continuous, R2);
  }
  add_discrete_distances(pairs, scales.discrete, R2);
  R2 = R2.cwiseMin(max_squared_distance);
}

void ScaledDistance::pullback(const RowPairs& pairs, const MatrixRef& R2, MatrixOut R2_bar,
                              GradientRef gradient) const {
  // ∂(D/ℓ²)/∂log ℓ = -2 D/ℓ²
  if (lengthscale.size() == 1) {
    gradient[0] = -2.0 * R2.cwiseProduct(R2_bar).sum();
    return;
  }
  const ColumnScales scales(pairs.inputs(), lengthscale, discrete);
  for (const Column column : scales.discrete) {
    gradient[column.index] = -2.0 * discrete_contraction(pairs, R2_bar, column);
  }
  if (scales.continuous.size() <= max_direct_pullback) {
    for (const Column column : scales.continuous) {
      gradient[column.index] = -2.0 * direct_contraction(pairs, R2_bar, column);
    }
    return;
  }
  const Vector sums = product_contraction(pairs, scales.continuous, R2, R2_bar);
  for (Index k = 0; k < sums.size(); ++k) {
    gradient[scales.continuous[static_cast<std::size_t>(k)].index] = -2.0 * sums[k];
  }
}

}  // namespace candor
