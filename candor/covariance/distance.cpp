// SPDX-License-Identifier: MIT
#include <candor/covariance/distance.hpp>

#include <candor/covariance/elementwise.hpp>
#include <candor/linalg/blas.hpp>

#include <algorithm>
#include <limits>
#include <utility>

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

// 1/ℓ_c² of these columns, 0 of others.
Vector squared_scales(const std::vector<Column>& columns, Index all) {
  Vector squares = Vector::Zero(all);
  for (const auto [c, scale] : columns) squares[c] = std::min(scale * scale, max_squared_distance);
  return squares;
}

Vector in_lengthscales(const VectorRef& column, double centre, double scale) {
  return ((column.array() - centre) * scale).max(-max_scaled_input).min(max_scaled_input);
}

}  // namespace

ColumnScales::ColumnScales(Index columns, const Vector& lengthscale,
                           const std::vector<Index>& discrete_columns) {
  for (Index c = 0; c < columns; ++c) {
    // The inverse of a denormal overflows, and 0 × ∞ is no distance between equal rows.
    const double scale = std::min(1.0 / lengthscale[lengthscale.size() == 1 ? 0 : c],
                                  std::numeric_limits<double>::max());
    const bool is_discrete = std::ranges::any_of(
        discrete_columns, [c](Index named) { return named == c || named == every_column; });
    (is_discrete ? discrete : continuous).push_back({c, scale});
  }
}

ScaledDistance::ScaledDistance(const RowPairs& pairs, const Vector& lengthscale,
                               const std::vector<Index>& discrete)
    : unknown_X_(pairs.all_known ? UnknownCells() : UnknownCells(pairs.X)),
      unknown_Z_(pairs.all_known ? UnknownCells() : UnknownCells(pairs.Z)),
      given_(pairs),
      pairs_{.X = unknown_X_.known(pairs.X),
             .Z = unknown_Z_.known(pairs.Z),
             .same_table = pairs.same_table,
             .first_row = pairs.first_row,
             .first_col = pairs.first_col},
      shared_lengthscale_(lengthscale.size() == 1),
      scales_(pairs.inputs(), lengthscale, discrete) {
  const std::size_t max_direct = shared_lengthscale_ ? max_direct_distance : max_direct_pullback;
  if (scales_.continuous.size() > max_direct) inputs_ = scaled_inputs();
}

// 1/ℓ² for every number that is not known, on either side; nothing from a row to itself.
void ScaledDistance::add_unknown(MatrixOut R2) const {
  const Vector weights = squared_scales(scales_.continuous, pairs_.inputs());
  if (unknown_X_.any()) R2.colwise() += unknown_X_.mask() * weights;
  if (unknown_Z_.any()) R2.rowwise() += (unknown_Z_.mask() * weights).transpose();
  pairs_.for_each_same_row([&](Index i, Index j) { R2(i, j) = 0.0; });
}

// What add_unknown adds to Σ_ij G_ij D_c(x_ic, z_jc)/ℓ_c², by columns c; G is 0 from a row to
// itself.
Vector ScaledDistance::unknown_contraction(const MatrixRef& G, const Vector& column_sums) const {
  Vector sums = Vector::Zero(pairs_.inputs());
  if (unknown_X_.any()) sums += unknown_X_.mask().transpose() * G.rowwise().sum();
  if (unknown_Z_.any()) sums += unknown_Z_.mask().transpose() * column_sums;
  return sums.cwiseProduct(squared_scales(scales_.continuous, pairs_.inputs()));
}

ScaledDistance::Inputs ScaledDistance::scaled_inputs() const {
  const auto d = static_cast<Index>(scales_.continuous.size());
  Inputs inputs{Matrix(pairs_.rows(), d), Matrix(pairs_.cols(), d), {}, {}};
  Index k = 0;
  for (const auto [c, scale] : scales_.continuous) {
    const double centre = 0.5 * pairs_.X.col(c).mean() + 0.5 * pairs_.Z.col(c).mean();
    inputs.U.col(k) = in_lengthscales(pairs_.X.col(c), centre, scale);
    inputs.V.col(k) = in_lengthscales(pairs_.Z.col(c), centre, scale);
    ++k;
  }
  inputs.U_squares = inputs.U.rowwise().squaredNorm();
  inputs.V_squares = inputs.V.rowwise().squaredNorm();
  return inputs;
}

// [-2U, |u|², 1] [V, 1, |v|²]ᵀ: the whole expansion in one product.
void ScaledDistance::product_distances(MatrixOut R2) const {
  const auto& [U, V, U_squares, V_squares] = inputs_;
  Matrix left(R2.rows(), U.cols() + 2), right(R2.cols(), U.cols() + 2);
  left << -2.0 * U, U_squares, Vector::Ones(R2.rows());
  right << V, Vector::Ones(R2.cols()), V_squares;
  blas::gemm(1.0, left, blas::Op::none, right, blas::Op::transpose, 0.0, R2);
}

std::vector<ScaledDistance::Pair> ScaledDistance::find_close_pairs(const MatrixRef& R2) const {
  const auto& [U, V, U_squares, V_squares] = inputs_;
  std::vector<Pair> close;
  // Most blocks hold no such pair, and one comparison tells.
  if (R2.minCoeff() > cancelled_share * (U_squares.maxCoeff() + V_squares.maxCoeff())) return close;
  for (Index j = 0; j < R2.cols(); ++j) {
    const auto bound = cancelled_share * (U_squares.array() + V_squares[j]);
    if ((R2.col(j).array() - bound).minCoeff() > 0.0) continue;
    for (Index i = 0; i < R2.rows(); ++i) {
      if (!(R2(i, j) > cancelled_share * (U_squares[i] + V_squares[j]))) close.push_back({i, j});
    }
  }
  return close;
}

void ScaledDistance::evaluate(MatrixOut R2) {
  const std::vector<Column>& columns = scales_.continuous;
  const bool by_product = columns.size() > max_direct_distance;
  if (by_product) {
    product_distances(R2);
  } else {
    direct_distances(pairs_, columns, R2);
  }
  if (inputs_.U.size() > 0) close_ = find_close_pairs(R2);
  if (by_product) {
    for (const auto [i, j] : close_) R2(i, j) = squared_distance(pairs_, columns, i, j);
    if (scales_.discrete.empty() && !has_unknown()) return;  // bounded already
  }
  add_discrete_distances(given_, scales_.discrete, R2);
  if (has_unknown()) add_unknown(R2);
  R2 = R2.cwiseMin(max_squared_distance);
}

// The same sums as direct_contraction, for all continuous columns at once:
//   Σ_ij G_ij (u_ic - v_jc)² = Σ_i (G1)_i u_ic² + Σ_j (Gᵀ1)_j v_jc² - 2 Σ_i u_ic (G V)_ic,
// one product instead of a pass over G per column.  Close pairs, where this cancels, are taken out
// of G and summed directly; for the others the error is a small multiple of rounding in G_ij R²_ij,
// also where discrete columns contribute most of R².
Vector ScaledDistance::product_contraction(MatrixOut G, Vector column_sums) const {
  const auto& [U, V, U_squares, V_squares] = inputs_;
  const Index d = V.cols();
  Vector sums = Vector::Zero(d);
  for (const auto [i, j] : close_) {
    for (Index k = 0; k < d; ++k) {
      const Column column = scales_.continuous[static_cast<std::size_t>(k)];
      sums[k] += G(i, j) * squared_difference(pairs_, column, i, j);
    }
    G(i, j) = 0.0;
  }
  // Summed again rather than subtracted from: a close pair may outweigh its whole column.
  Index summed = -1;
  for (const auto [i, j] : close_) {  // column by column
    if (j != summed) column_sums[j] = G.col(j).sum();
    summed = j;
  }
  Matrix V_1(V.rows(), d + 1), G_V_1(G.rows(), d + 1);  // G [V, 1]: products and row sums
  V_1 << V, Vector::Ones(V.rows());
  blas::gemm(1.0, G, blas::Op::none, V_1, blas::Op::none, 0.0, G_V_1);
  sums += U.cwiseAbs2().transpose() * G_V_1.col(d);
  sums += V.cwiseAbs2().transpose() * column_sums;
  sums -= 2.0 * U.cwiseProduct(G_V_1.leftCols(d)).colwise().sum().transpose();
  return sums;
}

void ScaledDistance::pullback(const MatrixRef& R2, MatrixOut R2_bar, Vector column_sums,
                              GradientRef gradient) const {
  // ∂(D/ℓ²)/∂log ℓ = -2 D/ℓ²
  if (shared_lengthscale_) {
    gradient[0] = -2.0 * R2.cwiseProduct(R2_bar).sum();
    return;
  }
  Vector unknown = Vector::Zero(pairs_.inputs());
  if (has_unknown()) {
    pairs_.for_each_same_row([&](Index i, Index j) {
      R2_bar(i, j) = 0.0;  // where every column is at distance 0
      column_sums[j] = R2_bar.col(j).sum();
    });
    unknown = unknown_contraction(R2_bar, column_sums);
  }
  for (const Column column : scales_.discrete) {
    gradient[column.index] = -2.0 * discrete_contraction(given_, R2_bar, column);
  }
  const auto set = [&](Column column, double sum) {
    gradient[column.index] = -2.0 * (sum + unknown[column.index]);
  };
  if (inputs_.U.size() == 0) {
    for (const Column column : scales_.continuous) {
      set(column, direct_contraction(pairs_, R2_bar, column));
    }
    return;
  }
  const Vector sums = product_contraction(R2_bar, std::move(column_sums));
  for (Index k = 0; k < sums.size(); ++k) {
    set(scales_.continuous[static_cast<std::size_t>(k)], sums[k]);
  }
}

}  // namespace candor
