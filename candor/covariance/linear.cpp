// SPDX-License-Identifier: MIT
#include <candor/covariance/linear.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/with_means.hpp>

#include <cmath>

namespace candor {
namespace {

using Column = ColumnScales::Column;

Matrix in_lengthscales(const MatrixRef& X, bool all_known, const std::vector<Column>& columns) {
  Matrix U(X.rows(), columns.size());
  Index k = 0;
  for (const auto [c, scale] : columns) U.col(k++) = X.col(c) * scale;
  return all_known ? U : with_means(U);
}

// Calls visit(i, j, c, 1/ℓ_c²) where row i of X is row j of Z and the level of its column c is not
// known: it is equal to that, and to no other.
template <class Visit>
void for_each_unknown_level(const RowPairs& pairs, const ColumnScales& scales, Visit visit) {
  if (pairs.all_known) return;
  pairs.for_each_same_row([&](Index i, Index j) {
    for (const auto [c, scale] : scales.discrete) {
      if (std::isnan(pairs.X(i, c))) visit(i, j, c, scale * scale);
    }
  });
}

// Σ_ij G_ij δ(x_ic, z_jc)
double sum_where_equal(const RowPairs& pairs, const MatrixRef& G, Index c) {
  const auto x = pairs.X.col(c);
  double sum = 0.0;
  for (Index j = 0; j < pairs.cols(); ++j) {
    const double z = pairs.Z(j, c);
    for (Index i = 0; i < pairs.rows(); ++i) sum += x[i] == z ? G(i, j) : 0.0;
  }
  return sum;
}

}  // namespace

void Linear::evaluate(const RowPairs& pairs, MatrixOut K) const {
  const ColumnScales scales(pairs.inputs(), lengthscale, discrete);
  const Matrix U = in_lengthscales(pairs.X, pairs.all_known, scales.continuous);
  const Matrix V = in_lengthscales(pairs.Z, pairs.all_known, scales.continuous);
  K.setZero();
  if (U.cols() > 0) blas::gemm(1.0, U, blas::Op::none, V, blas::Op::transpose, 1.0, K);
  for (const auto [c, scale] : scales.discrete) {
    const double weight = scale * scale;
    for (Index j = 0; j < pairs.cols(); ++j) {
      const double z = pairs.Z(j, c);
      for (Index i = 0; i < pairs.rows(); ++i) K(i, j) += pairs.X(i, c) == z ? weight : 0.0;
    }
  }
  for_each_unknown_level(pairs, scales,
                         [&](Index i, Index j, Index, double weight) { K(i, j) += weight; });
}

Vector Linear::diagonal(const MatrixRef& X, Rows) const {
  const ColumnScales scales(X.cols(), lengthscale, discrete);
  Vector variances = in_lengthscales(X, false, scales.continuous).rowwise().squaredNorm();
  for (const auto [c, scale] : scales.discrete) variances.array() += scale * scale;
  return variances;
}

double Linear::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  const ColumnScales scales(pairs.inputs(), lengthscale, discrete);
  const Matrix U = in_lengthscales(pairs.X, pairs.all_known, scales.continuous);
  const Matrix V = in_lengthscales(pairs.Z, pairs.all_known, scales.continuous);
  Matrix K_bar_V = Matrix::Zero(U.rows(), V.cols());
  if (V.cols() > 0) blas::gemm(1.0, K_bar, blas::Op::none, V, blas::Op::none, 0.0, K_bar_V);

  Vector by_column(pairs.inputs());  // Σ_ij K̄_ij × the part of k_ij that column c contributes
  Index k = 0;
  for (const Column column : scales.continuous) {
    by_column[column.index] = U.col(k).dot(K_bar_V.col(k));
    ++k;
  }
  for (const auto [c, scale] : scales.discrete) {
    by_column[c] = scale * scale * sum_where_equal(pairs, K_bar, c);
  }
  for_each_unknown_level(pairs, scales, [&](Index i, Index j, Index c, double weight) {
    by_column[c] += weight * K_bar(i, j);
  });
  const double inner = by_column.sum();
  if (lengthscale.size() == 1) {
    gradient[0] = -2.0 * inner;
  } else {
    gradient = -2.0 * by_column;
  }
  return inner;
}

}  // namespace candor
