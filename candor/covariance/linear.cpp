// SPDX-License-Identifier: MIT
#include <candor/covariance/linear.hpp>

#include <candor/covariance/distance.hpp>
#include <candor/linalg/blas.hpp>

#include <cmath>

namespace candor {
namespace {

using Column = ColumnScales::Column;

// 0, the mean, for what is not known.
Matrix in_lengthscales(const MatrixRef& X, const std::vector<Column>& columns) {
  Matrix U(X.rows(), columns.size());
  Index k = 0;
  for (const auto [c, scale] : columns) {
    U.col(k++) = X.col(c).array().isNaN().select(0.0, X.col(c) * scale);
  }
  return U;
}

// Calls visit(i, j, c, 1/ℓ_c²) where row i of X is row j of Z and its cell c is not known: that much
// it adds to k(x_i, x_i), and nothing to other covariances.
template <class Visit>
void for_each_unknown(const RowPairs& pairs, const ColumnScales& scales, Visit visit) {
  pairs.for_each_same_row([&](Index i, Index j) {
    for (const auto* columns : {&scales.continuous, &scales.discrete}) {
      for (const auto [c, scale] : *columns) {
        if (std::isnan(pairs.X(i, c))) visit(i, j, c, scale * scale);
      }
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
  for_each_unknown(pairs, scales,
                   [&](Index i, Index j, Index, double weight) { K(i, j) += weight; });
}

Vector Linear::diagonal(const MatrixRef& X, Rows) const {
  const ColumnScales scales(X.cols(), lengthscale, discrete);
  Vector variances = in_lengthscales(X, scales.continuous).rowwise().squaredNorm();
  for (const auto [c, scale] : scales.continuous) {
    variances.array() += X.col(c).array().isNaN().cast<double>() * (scale * scale);
  }
  for (const auto [c, scale] : scales.discrete) variances.array() += scale * scale;
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
  for_each_unknown(pairs, scales, [&](Index i, Index j, Index c, double weight) {
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
