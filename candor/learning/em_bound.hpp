// SPDX-License-Identifier: MIT
// What the M step of EM-EP maximises in the covariance's parameters, with q(f) = N(h, A) fixed:
//
//   F(θ) = -½ log|C| - ½ tr C⁻¹(A + h hᵀ),   C = K + v₂ I                         [KG06], [KG08]
//
// f is the noisy latent value: the noise v₂ stands on the diagonal of its covariance, and the
// likelihood is the step ε + (1 - 2ε) H(y f).  Where q is EP's at the same θ, F has the gradient of
// EP's log evidence, so EM-EP and evidence maximisation have the same stationary points in θ.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/learning/ascent.hpp>
#include <candor/learning/objective.hpp>
#include <candor/learning/theta.hpp>

#include <optional>

namespace candor {

// q of the noisy latent values.
struct NoisyPosterior {
  Vector h;
  Matrix A;  // n×n, both triangles
};

// Of a model whose noise stands in the covariance this is q itself.  Where the likelihood has the
// noise v₂, q is that of g = f - noise, and with D = I - v₂T
//
//   h = μ + v₂ α,   A = D A_g D + v₂ D.
//
// The approximation is not const because it may have to invert its factor; its answers stay.
[[nodiscard]] NoisyPosterior noisy_posterior(Approximation& q, const Likelihood& likelihood);

// F as a function of Theta.  Memory: three n×n matrices while it is evaluated, one of them
// A + h hᵀ.  Coordinates and data must outlive it; a rate among the coordinates has slope 0.
class EmBound {
 public:
  EmBound(const Coordinates& coordinates, const TrainingSet& data, NoisyPosterior q);

  // Empty where C is not positive definite to working precision.
  [[nodiscard]] std::optional<Height> at(const Theta& theta) const;

 private:
  [[nodiscard]] Vector gradient(const Model& model, const Theta& theta, const Matrix& C_inverse,
                                const Matrix& product) const;

  const Coordinates& coordinates_;
  TrainingSet data_;
  Matrix second_moment_;  // A + h hᵀ
};

}  // namespace candor
