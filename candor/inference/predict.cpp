// SPDX-License-Identifier: MIT
#include <candor/inference/predict.hpp>

#include <candor/covariance/check.hpp>
#include <candor/covariance/cross.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/check.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

void predict_block(const Approximation& approximation, const Covariance& covariance,
                   const Matrix& X, const MatrixRef& X_block, Eigen::Ref<Vector> mean,
                   Eigen::Ref<Vector> variance) {
  const Matrix K_cross = cross(covariance, X, X_block);
  mean = blas::gemv(K_cross, blas::Op::transpose, approximation.alpha);
  const Vector prior = prior_variance(covariance, X_block);
  variance = (prior - approximation.posterior.explained_variance(K_cross)).cwiseMax(0.0);
}

}  // namespace

LatentPrediction predict_latent(const Approximation& approximation, const Covariance& covariance,
                                const Matrix& X, const Matrix& X_test) {
  check(covariance, X.cols());
  check_inputs("X", X);
  check_same_size("columns of X_test", X_test.cols(), "columns of X", X.cols());
  check_same_size("rows of X", X.rows(), "rows of the approximation",
                  approximation.posterior.size());
  check_inputs("X_test", X_test);
  constexpr Index block = 256;
  const Index t = X_test.rows();
  LatentPrediction result{Vector(t), Vector(t)};
  parallel_for((t + block - 1) / block, approximation.posterior.threads(), [&](Index task) {
    const Index first = task * block, rows = std::min(block, t - first);
    predict_block(approximation, covariance, X, X_test.middleRows(first, rows),
                  result.mean.segment(first, rows), result.variance.segment(first, rows));
  });
  return result;
}

Prediction predict(const Approximation& approximation, const Covariance& covariance,
                   const Likelihood& likelihood, const Matrix& X, const Matrix& X_test) {
  check(likelihood);
  LatentPrediction latent = predict_latent(approximation, covariance, X, X_test);
  const Index t = X_test.rows();
  Prediction result{std::move(latent.mean), std::move(latent.variance), Vector(t), Vector(t),
                    Vector(t)};
  std::visit(
      [&](const auto& l) {
        for (Index i = 0; i < t; ++i) {
          const LabelProbabilities p =
              l.predict({result.latent_mean[i], result.latent_variance[i]});
          result.p_sign[i] = p.sign;
          result.p_clean[i] = p.clean;
          result.p_observed[i] = p.observed;
        }
      },
      likelihood);
  return result;
}

}  // namespace candor
