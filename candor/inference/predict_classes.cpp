// SPDX-License-Identifier: MIT
#include <candor/inference/predict_classes.hpp>

#include <candor/covariance/check.hpp>
#include <candor/covariance/cross.hpp>
#include <candor/inference/per_class.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/check.hpp>

#include <algorithm>

namespace candor {
namespace {

// The block of test rows from `first` on.
template <class Posterior>
void predict_block(const Posterior& q, const Matrix& alpha,
                   const std::vector<Covariance>& covariances, const RobustMax& likelihood,
                   const Matrix& X, const Matrix& X_test, Index first, Index rows,
                   ClassPrediction& result) {
  const auto X_block = X_test.middleRows(first, rows);
  std::vector<Matrix> K_cross;
  Matrix prior(rows, static_cast<Index>(covariances.size()));
  for (const Covariance& covariance : covariances) {
    prior.col(static_cast<Index>(K_cross.size())) = prior_variance(covariance, X_block);
    K_cross.push_back(cross(covariance, X, X_block));
  }
  Matrix mean(rows, q.latents());
  for (Index d = 0; d < q.latents(); ++d) {
    mean.col(d) = blas::gemv(of_class(K_cross, d), blas::Op::transpose, alpha.col(d));
  }
  const Matrix explained = q.explained(K_cross);
  for (Index i = 0; i < rows; ++i) {
    const RowGaussian latent{mean.row(i), remaining(q, prior.row(i), explained.row(i))};
    const ClassLatents own = class_latents(q, latent, prior.row(i));
    result.clean.row(first + i) = class_probabilities(q, likelihood, latent);
    result.latent_mean.row(first + i) = own.mean;
    result.latent_variance.row(first + i) = own.variance;
  }
}

}  // namespace

ClassPrediction predict_classes(const Approximation& approximation,
                                const std::vector<Covariance>& covariances,
                                const RobustMax& likelihood, const Matrix& X,
                                const Matrix& X_test) {
  likelihood.check();
  for (const Covariance& covariance : covariances) check(covariance, X.cols());
  check_inputs("X", X);
  check_same_size("columns of X_test", X_test.cols(), "columns of X", X.cols());
  check_inputs("X_test", X_test);
  const Index t = X_test.rows(), C = likelihood.classes;
  ClassPrediction result{Matrix(t, C), {}, Matrix(t, C), Matrix(t, C)};
  std::visit(
      [&](const auto& q) {
        check_same_size("rows of X", X.rows(), "rows of the approximation", q.rows());
        const Matrix alpha = approximation.alpha.reshaped(q.rows(), q.latents());
        constexpr Index block = 256;
        parallel_for((t + block - 1) / block, q.threads(), [&](Index task) {
          const Index first = task * block;
          predict_block(q, alpha, covariances, likelihood, X, X_test, first,
                        std::min(block, t - first), result);
        });
      },
      approximation.class_posterior.value());
  const double random = likelihood.random_share();
  result.observed = (1.0 - random) * result.clean.array() + random / static_cast<double>(C);
  return result;
}

}  // namespace candor
