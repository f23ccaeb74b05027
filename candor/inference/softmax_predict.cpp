// SPDX-License-Identifier: MIT
#include <candor/inference/softmax_predict.hpp>

#include <candor/covariance/check.hpp>
#include <candor/covariance/cross.hpp>
#include <candor/inference/per_class.hpp>
#include <candor/likelihood/softmax_gaussian.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/check.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace candor {
namespace {

void check_input(const SoftmaxApproximation& approximation,
                 const std::vector<Covariance>& covariances, const Matrix& X,
                 const Matrix& X_test) {
  const SoftmaxPosterior& q = approximation.posterior;
  check_same_size("covariances", std::ssize(covariances), "covariances of the approximation",
                  q.is_shared() ? 1 : q.classes());
  for (const Covariance& covariance : covariances) check(covariance, X.cols());
  check_inputs("X", X);
  check_same_size("rows of X", X.rows(), "rows of the approximation", q.size());
  check_same_size("columns of X_test", X_test.cols(), "columns of X", X.cols());
  check_inputs("X_test", X_test);
}

struct Block {
  Index first, rows;
};

void predict_block(const SoftmaxApproximation& approximation,
                   const std::vector<Covariance>& covariances, const Matrix& X,
                   const Matrix& X_test, const SoftmaxGaussian& expected_softmax, Block block,
                   SoftmaxPrediction& result) {
  const Index C = approximation.posterior.classes();
  const Matrix X_block = X_test.middleRows(block.first, block.rows);
  std::vector<Matrix> K_cross;
  Matrix prior(block.rows, C), mean(block.rows, C);
  for (const Covariance& covariance : covariances) K_cross.push_back(cross(covariance, X, X_block));
  for (Index c = 0; c < C; ++c) {
    prior.col(c) = prior_variance(of_class(covariances, c), X_block);
    mean.col(c) = blas::gemv(of_class(K_cross, c), blas::Op::transpose, approximation.alpha.col(c));
  }
  std::vector<Matrix> covariance = approximation.posterior.latent_covariances(K_cross, prior);
  for (Index i = 0; i < block.rows; ++i) {
    Matrix& Sigma = covariance[static_cast<std::size_t>(i)];
    result.probability.row(block.first + i) = expected_softmax(mean.row(i).transpose(), Sigma);
    result.latent_covariance[static_cast<std::size_t>(block.first + i)] = std::move(Sigma);
  }
  result.latent_mean.middleRows(block.first, block.rows) = mean;
}

}  // namespace

SoftmaxPrediction predict(const SoftmaxApproximation& approximation,
                          const std::vector<Covariance>& covariances, const Matrix& X,
                          const Matrix& X_test) {
  check_input(approximation, covariances, X, X_test);
  constexpr Index longest = 64;
  const Index t = X_test.rows(), C = approximation.posterior.classes();
  const SoftmaxGaussian expected_softmax(C);
  SoftmaxPrediction result{Matrix(t, C), std::vector<Matrix>(static_cast<std::size_t>(t)),
                           Matrix(t, C)};
  parallel_for((t + longest - 1) / longest, approximation.posterior.threads(), [&](Index task) {
    const Block block{task * longest, std::min(longest, t - task * longest)};
    predict_block(approximation, covariances, X, X_test, expected_softmax, block, result);
  });
  return result;
}

}  // namespace candor
