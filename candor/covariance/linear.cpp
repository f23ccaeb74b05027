// SPDX-License-Identifier: MIT
#include <candor/covariance/linear.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/linalg/blas.hpp>

namespace candor {
namespace {

using Column = ColumnScales::Column;

Matrix in_lengthscales(const MatrixRef& X, const std::vector<Column>& columns) {
  Matrix U(X.rows(), columns.size());
  Index k = 0;
  for (const auto [c, scale] : columns) U.col(k++) = X.col(c) * scale;
  return U;
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
  const Matrix U = in_lengthscales(pairs.X, scales.continuous);
  const Matrix V = in_lengthscales(pairs.Z, scales.continuous);
  K.setZero();
  if (U.cols() > 0) blas::gemm(1.0, U, blas::Op::none, V, blas::Op::transpose, 1.0, K);
  for (const auto [c, scale] : scales.discrete) {
    const double weight = scale * scale;
    for (Index j = 0; j < pairs.cols(); ++j) {
      const double z = pairs.Z(j, c);
      for (Index i = 0; i < pairs.rows(); ++i) K(i, j) += pairs.X(i, c) == z ? weight : 0.0;
    }
  }
}

Vector Linear::diagonal(const MatrixRef& X, Rows) const {
  const ColumnScales scales(X.cols(), lengthscale, discrete);
  Vector variances = in_lengthscales(X, scales.continuous).rowwise().squaredNorm();
  for (const Column column : scales.discrete) {
    variances.array() += column.inverse_lengthscale * column.inverse_lengthscale;
  }
  return variances;
}

double Linear::pullback(const RowPairs& pairs, const MatrixRef& K_bar, GradientRef gradient) const {
  const ColumnScales scales(pairs.inputs(), lengthscale, discrete);
  const Matrix U = in_lengthscales(pairs.X, scales.continuous);
  const Matrix V = in_lengthscales(pairs.Z, scales.continuous);
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
  const double inner = by_column.sum();
  if (lengthscale.size() == 1) {
    gradient[0] = -2.0 * inner;
  } else {
    gradient = -2.0 * by_column;
  }
  return inner;
}

}  // namespace candor
