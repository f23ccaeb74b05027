// SPDX-License-Identifier: MIT
#include <candor/inference/softmax_evidence_gradient.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/cholesky.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace candor {
namespace {

using blas::Op;
using blas::Side;

constexpr Index strip = 256;

Index pieces(Index n) { return (n + strip - 1) / strip; }

// F ← M F with M lower triangular, on strips of columns.
void multiply(const Matrix& M, Matrix& F, Threads threads) {
  parallel_for(pieces(F.cols()), threads, [&](Index task) {
    const Index first = task * strip, count = std::min(strip, F.cols() - first);
    blas::trmm(Side::left, 1.0, M, Op::none, F.middleCols(first, count));
  });
}

// Lower triangle of C ← C + FᵀF, by tiles.
void add_gram(const Matrix& F, Matrix& C, Threads threads) {
  const Index n = F.cols(), count = pieces(n);
  parallel_for(count * count, threads, [&](Index task) {
    const Index i = task / count * strip, j = task % count * strip;
    if (i < j) return;
    const Index rows = std::min(strip, n - i), cols = std::min(strip, n - j);
    const auto F_i = F.middleCols(i, rows);
    if (i == j) return blas::syrk(1.0, F_i, Op::transpose, 1.0, C.block(i, i, rows, rows));
    blas::gemm(1.0, F_i, Op::transpose, F.middleCols(j, cols), Op::none, 1.0,
               C.block(i, j, rows, cols));
  });
}

// w_c of every row from T_c = L⁻¹ (D_c - E_c) = L⁻¹ D_c - F_c, with L Lᵀ = Σ E and F_c = L⁻¹ E_c:
//   π_ic A_ck π_ik = δ_ck (π - E)_ii + T_c(·,i)ᵀ T_k(·,i),   Σ_k T_k = L⁻¹ - Lᵀ.
Vector curvature_slope(const Matrix& L_inverse, const Matrix& L, const Matrix& F,
                       const VectorRef& E_diagonal, const VectorRef& pi) {
  const Index n = F.rows();
  Vector w(n);
  for (Index i = 0; i < n; ++i) {
    const Vector T = L_inverse.col(i) * pi[i] - F.col(i);
    const Vector T_sum = L_inverse.col(i) - L.row(i).transpose();
    const double alone = pi[i] - E_diagonal[i];
    const double own = pi[i] > 0.0 ? (alone + T.squaredNorm()) / pi[i] : 0.0;
    w[i] = own - 2.0 * (alone + T.dot(T_sum));
  }
  return w;
}

// Lower triangle of C ← C - E_c + F_cᵀF_c = C - P_cc; returns w_c.
Vector subtract_precision(const SoftmaxPosterior& q, Index c, const Matrix& L_inverse, Matrix& C) {
  Matrix F = q.class_precision(c);
  const Vector E_diagonal = F.diagonal();
  C -= F;
  multiply(L_inverse, F, q.threads());
  add_gram(F, C, q.threads());
  return curvature_slope(L_inverse, q.sum_factor(), F, E_diagonal, q.probabilities().col(c));
}

// ∂L/∂log θ of K̄ = ½(U Vᵀ + V Uᵀ) + ½ C, or without C where that is empty.
Vector pull_back(const Covariance& covariance, const Matrix& X, const MatrixRef& U,
                 const MatrixRef& V, const Matrix& C, Threads threads) {
  const AdjointBlock K_bar = [&](Index i, Index j, MatrixOut out) {
    const Index rows = out.rows(), cols = out.cols();
    blas::gemm(0.5, U.middleRows(i, rows), Op::none, V.middleRows(j, cols), Op::transpose, 0.0,
               out);
    blas::gemm(0.5, V.middleRows(i, rows), Op::none, U.middleRows(j, cols), Op::transpose, 1.0,
               out);
    if (C.size() == 0) return;
    out += 0.5 * C.block(i, j, rows, cols);
    if (i == j) out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  };
  return pullback(covariance, X, K_bar, threads);
}

// u = (I + W K)⁻¹ s: how the evidence follows the mode.
Matrix response_of_the_mode(const SoftmaxPosterior& q, const Matrix& w) {
  const Matrix& pi = q.probabilities();
  const Vector total = w.rowwise().sum();
  const Matrix s = -0.5 * (w - Matrix(total.asDiagonal() * pi));
  return s - q.apply_precision(q.apply_prior(s));
}

}  // namespace

std::vector<Vector> softmax_evidence_gradient(const SoftmaxApproximation& approximation,
                                              const std::vector<Covariance>& covariances,
                                              const Matrix& X) {
  const SoftmaxPosterior& q = approximation.posterior;
  const Matrix& alpha = approximation.alpha;
  const Index n = q.size(), C = q.classes(), groups = std::ssize(covariances);
  check_same_size("rows of X", X.rows(), "rows of the approximation", n);
  check_same_size("covariances", groups, "covariances of the approximation", q.is_shared() ? 1 : C);
  const Index each = C / groups;  // classes of one covariance
  Matrix L_inverse = q.sum_factor(), w(n, C);
  invert_lower_in_place(L_inverse, q.threads());
  std::vector<Vector> gradients;
  for (Index g = 0; g < groups; ++g) {  // all classes at once, or one by one
    Matrix minus_P = Matrix::Zero(n, n);
    for (Index c = g * each; c < (g + 1) * each; ++c) {
      w.col(c) = subtract_precision(q, c, L_inverse, minus_P);
    }
    const auto own = alpha.middleCols(g * each, each);
    gradients.push_back(pull_back(covariances[static_cast<std::size_t>(g)], X, 0.5 * own, own,
                                  minus_P, q.threads()));
  }
  const Matrix u = response_of_the_mode(q, w);
  for (Index g = 0; g < groups; ++g) {
    const auto index = static_cast<std::size_t>(g);
    gradients[index] += pull_back(covariances[index], X, u.middleCols(g * each, each),
                                  alpha.middleCols(g * each, each), Matrix(), q.threads());
  }
  return gradients;
}

}  // namespace candor
