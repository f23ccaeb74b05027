// SPDX-License-Identifier: MIT
// Predictions at new inputs from a Gaussian approximation.
//
//   E[f*] = k*ᵀ α,   Var[f*] = k(x*, x*) - k*ᵀ W k*      [RW06, eqs. 3.21, 3.24, 3.60, 3.61]
//
// Noise by row index belongs to training rows: it is in neither k* nor k(x*, x*).
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/approximation.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

// One entry per row of X_test.
struct LatentPrediction {
  Vector mean;
  Vector variance;
};

// Works through the test rows in blocks: memory 2n × 256 doubles per thread beside the
// approximation.
[[nodiscard]] LatentPrediction predict_latent(const Approximation& approximation,
                                              const Covariance& covariance, const Matrix& X,
                                              const Matrix& X_test);

// Of the positive class.
struct Prediction {
  Vector latent_mean;
  Vector latent_variance;
  Vector p_sign;      // f* > 0
  Vector p_clean;     // the label before any flip
  Vector p_observed;  // the label as it would be recorded
};

[[nodiscard]] Prediction predict(const Approximation& approximation, const Covariance& covariance,
                                 const Likelihood& likelihood, const Matrix& X,
                                 const Matrix& X_test);

}  // namespace candor
