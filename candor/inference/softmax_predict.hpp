// SPDX-License-Identifier: MIT
// Predictions at new inputs from the softmax Laplace approximation:
//
//   E[f*_c] = k_cᵀ α_c,   Cov[f*] = diag(k_c(x*, x*)) - Q*ᵀ P Q*,   p(y*) = E[softmax(f*)]
//                                                                     [RW06, algorithm 3.4]
// Latent values of different classes are independent before the data and correlated after them.
// Noise by row index belongs to training rows: it is in neither k* nor k(x*, x*).
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/softmax_laplace.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

// One row or entry per row of X_test.
struct SoftmaxPrediction {
  Matrix latent_mean;                     // t×C
  std::vector<Matrix> latent_covariance;  // C×C each
  Matrix probability;                     // t×C, rows sum to 1; likelihood/softmax_gaussian.hpp
};

// Works through the test rows in blocks: 3 C n² flops each row, memory (2C + 1) n × 64 doubles per
// thread, and C² for every test row of the result.
[[nodiscard]] SoftmaxPrediction predict(const SoftmaxApproximation& approximation,
                                        const std::vector<Covariance>& covariances, const Matrix& X,
                                        const Matrix& X_test);

}  // namespace candor
