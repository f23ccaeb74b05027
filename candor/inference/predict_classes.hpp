// SPDX-License-Identifier: MIT
// Predictions of many classes at new inputs.
//
//   E[f*] = k*ᵀ α,   Cov[f*] = k(x*, x*) - k*ᵀ W k*,   class probabilities by robust_max's integrals
//
// Noise by row index belongs to training rows, as in inference/predict.hpp.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/approximation.hpp>
#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

// One row per row of X_test, one column per class.
struct ClassPrediction {
  Matrix clean;     // probability of the class before any error
  Matrix observed;  // as it would be recorded
  Matrix latent_mean, latent_variance;
};

// Of an approximation with a class_posterior; covariances are those it was made with, one or one per
// class.  Test rows in blocks: memory 2 (D+1) n × 256 doubles per thread beside the approximation.
[[nodiscard]] ClassPrediction predict_classes(const Approximation& approximation,
                                              const std::vector<Covariance>& covariances,
                                              const RobustMax& likelihood, const Matrix& X,
                                              const Matrix& X_test);

}  // namespace candor
