// SPDX-License-Identifier: MIT
#include <candor/inference/softmax_posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/per_class.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace candor {
namespace {

using blas::Op;
using blas::Side;

// Calls body(first, count) for pieces of 0 … size - 1.
void for_each_piece(Index size, Index longest, Threads threads,
                    const std::function<void(Index, Index)>& body) {
  parallel_for((size + longest - 1) / longest, threads,
               [&](Index task) { body(task * longest, std::min(longest, size - task * longest)); });
}

// Lower triangle of diag(scale) A diag(scale), of which the lower triangle is read.
void scale_lower(const Eigen::Ref<const Vector>& scale, const Matrix& A, Threads threads,
                 const std::function<void(Index, const Vector&)>& take_column) {
  const Index n = A.rows();
  constexpr Index columns = 64;
  for_each_piece(n, columns, threads, [&](Index first, Index count) {
    for (Index j = first; j < first + count; ++j) {
      take_column(j, A.col(j).tail(n - j).cwiseProduct(scale.tail(n - j)) * scale[j]);
    }
  });
}

}  // namespace

SoftmaxPosterior::SoftmaxPosterior(const std::vector<Covariance>& covariances, const Matrix& X,
                                   Index classes, Threads threads)
    : threads_(threads) {
  check_one_or_per_class(covariances, classes);
  std::vector<Gram> grams;  // checks all before the first is evaluated
  for (const Covariance& covariance : covariances) grams.emplace_back(covariance, X);
  for (const Gram& gram : grams) K_.push_back(covariance_matrix(gram, threads));
  whitening_.resize(static_cast<std::size_t>(classes));
}

Matrix SoftmaxPosterior::prior_variance() const {
  Matrix variance(size(), classes());
  for (Index c = 0; c < classes(); ++c) variance.col(c) = prior(c).diagonal();
  return variance;
}

Matrix SoftmaxPosterior::apply_prior(const Matrix& x) const {
  Matrix result(size(), classes());
  for (Index c = 0; c < classes(); ++c) result.col(c) = blas::symv(prior(c), x.col(c));
  return result;
}

void SoftmaxPosterior::factor_class(Index c) {
  Matrix& M = whitening_[static_cast<std::size_t>(c)];
  M.resize(0, 0);  // its memory goes to the new factor
  Matrix B(size(), size());
  scale_lower(scale_.col(c), prior(c), threads_, [&](Index j, const Vector& column) {
    B.col(j).tail(column.size()) = column;
    B(j, j) += 1.0;
  });
  JitteredCholesky factor = jittered_cholesky(B, threads_);
  jitter_ = std::max(jitter_, factor.jitter);
  log_determinant_ += 2.0 * factor.L.diagonal().array().log().sum();
  M = std::move(factor.L);
  invert_lower_in_place(M, threads_);
}

void SoftmaxPosterior::add_class_precision(Index c, Matrix& sum) const {
  Matrix G = whitening(c);
  gram_of_lower_in_place(G, threads_);
  scale_lower(scale_.col(c), G, threads_,
              [&](Index j, const Vector& column) { sum.col(j).tail(column.size()) += column; });
}

Matrix SoftmaxPosterior::class_precision(Index c) const {
  Matrix E = Matrix::Zero(size(), size());
  add_class_precision(c, E);
  E.triangularView<Eigen::StrictlyUpper>() = E.transpose();
  return E;
}

void SoftmaxPosterior::set_probabilities(const Matrix& pi) {
  pi_ = pi;
  scale_ = pi.cwiseSqrt();
  log_determinant_ = 0.0;
  sum_factor_.resize(0, 0);
  Matrix sum = Matrix::Zero(size(), size());
  for (Index c = 0; c < classes(); ++c) {
    factor_class(c);
    add_class_precision(c, sum);
  }
  JitteredCholesky factor = jittered_cholesky(sum, threads_);
  jitter_ = std::max(jitter_, factor.jitter);
  sum_factor_ = std::move(factor.L);
  log_determinant_ += 2.0 * sum_factor_.diagonal().array().log().sum();
}

Matrix SoftmaxPosterior::apply_class_precisions(const Matrix& x) const {
  Matrix result(size(), classes());
  for (Index c = 0; c < classes(); ++c) {
    const Vector white = blas::trmv(whitening(c), Op::none, scale_.col(c).cwiseProduct(x.col(c)));
    result.col(c) = scale_.col(c).cwiseProduct(blas::trmv(whitening(c), Op::transpose, white));
  }
  return result;
}

Matrix SoftmaxPosterior::apply_precision(const Matrix& x) const {
  const Matrix Ex = apply_class_precisions(x);
  Matrix common = Ex.rowwise().sum();  // Rᵀ E x
  solve_lower_in_place(sum_factor_, Op::none, common);
  solve_lower_in_place(sum_factor_, Op::transpose, common);
  return Ex - apply_class_precisions(common.replicate(1, classes()));
}

// Cov(f_c, f_c') = δ_cc' (k** - k_cᵀ E_c k_c) + k_cᵀ E_c (Σ E)⁻¹ E_c' k_c'     [RW06, algorithm 3.4]
std::vector<Matrix> SoftmaxPosterior::latent_covariances(const std::vector<Matrix>& K_cross,
                                                         const MatrixRef& prior_variance) const {
  const Index C = classes(), t = prior_variance.rows();
  std::vector<Matrix> common;  // L⁻¹ E_c k_c with Σ E = L Lᵀ
  Matrix variance = prior_variance;
  for (Index c = 0; c < C; ++c) {
    Matrix V = scale_.col(c).asDiagonal() * of_class(K_cross, c);
    blas::trmm(Side::left, 1.0, whitening(c), Op::none, V);
    variance.col(c) -= V.colwise().squaredNorm().transpose();
    blas::trmm(Side::left, 1.0, whitening(c), Op::transpose, V);
    V = scale_.col(c).asDiagonal() * V;
    solve_lower_in_place(sum_factor_, Op::none, V);
    common.push_back(std::move(V));
  }
  std::vector<Matrix> result;
  for (Index i = 0; i < t; ++i) {
    Matrix U(size(), C);
    for (Index c = 0; c < C; ++c) U.col(c) = common[static_cast<std::size_t>(c)].col(i);
    Matrix covariance = variance.row(i).cwiseMax(0.0).asDiagonal();
    blas::syrk(1.0, U, Op::transpose, 1.0, covariance);
    covariance.triangularView<Eigen::StrictlyUpper>() = covariance.transpose();
    result.push_back(std::move(covariance));
  }
  return result;
}

}  // namespace candor
