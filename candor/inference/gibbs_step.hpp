// SPDX-License-Identifier: MIT
// Gibbs sampling of a noisy step by the noisy latent value that made each label [AC93]:
//
//   u_i = f_i + √v₂ e_i,   y_i = sign(u_i), flipped at the row's rates
//   u_i | f_i, y_i   a mixture of two truncated normals, of masses (1 - missed) Φ(t) and
//                    wrong Φ(-t), t = y_i f_i/√v₂
//   f | u            N(A V⁻¹u, A),   A = (K⁻¹ + V⁻¹)⁻¹,   V = diag(v₂/copies)
//
// f = S (SᵀV⁻¹u + z) with A = S Sᵀ from one factorisation: O(n²) per sweep.  By itself that moves f
// by about √v₂, so that it mixes badly where v₂ is far below the variance of f.  Where every row
// counts once, u is therefore moved between the two with f integrated out: it is a Gaussian of
// covariance K + v₂ I with a step in every row (stepped_gaussian.hpp).  Without noise f is u, and
// nothing else is left to do.
#pragma once

#include <candor/inference/gaussian_reference.hpp>
#include <candor/inference/label_factors.hpp>
#include <candor/inference/stepped_gaussian.hpp>
#include <candor/linalg/random.hpp>
#include <candor/linalg/threads.hpp>

#include <optional>

namespace candor {

class GibbsStep {
 public:
  // Nothing where labels are no noisy step; where there is noise and a row is not a moderate number
  // of whole copies; where v₂ > 0 is too small to be told from 0.  `factors` must outlive this.
  [[nodiscard]] static std::optional<GibbsStep> of(const LabelFactors& factors, const Matrix& L,
                                                   Threads threads = {});

  // Leaves p(f) Π p(y_i | f_i) as it is, for steps of these heights: p(y_i | f_i) ∝
  // Φ(t_i) + exp(-rise_i) Φ(-t_i).  `from_prior` draws from N(0, K).
  void sweep(Vector& f, const Vector& rise, ReferenceDraws& from_prior, Random& random) const;

  // The heights of the labels' own steps, log (1 - missed)/wrong; without noise times the weight.
  [[nodiscard]] const Vector& rise() const { return rise_; }
  // log p(y_i | f_i) of a step of this height, less what it has on the right side.
  [[nodiscard]] double log_p(Index row, double f, double rise) const;
  // Whether u is moved with f integrated out: every row counts once, or v₂ is 0.
  [[nodiscard]] bool moves_noisy_values() const { return noisy_.has_value(); }

 private:
  explicit GibbsStep(const LabelFactors& factors);
  // u ~ N(f, v₂) × the row's step, summed over copies.
  [[nodiscard]] Vector noisy_values_of(const Vector& f, const Vector& rise, Random& random) const;
  [[nodiscard]] double draw_noisy(Index row, double f, double rise, Random& random) const;
  void move_noisy_values(Vector& u, const Vector& rise, ReferenceDraws& from_prior,
                         Random& random) const;

  const LabelFactors* factors_;
  Vector rise_;
  // Prior × N(u; f, V), but for u itself; where v₂ > 0.
  std::optional<GaussianReference> given_noise_;
  std::optional<SteppedGaussian> noisy_;  // u
};

}  // namespace candor
