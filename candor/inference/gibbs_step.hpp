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
  // Nothing where labels are no noisy step, or v₂ is not 0 and a row is not a moderate number of whole
  // copies.  `factors` must outlive this.
  [[nodiscard]] static std::optional<GibbsStep> of(const LabelFactors& factors, const Matrix& L,
                                                   Threads threads = {});

  // `from_prior` draws from N(0, K).
  void sweep(Vector& f, ReferenceDraws& from_prior, Random& random) const;

  // Whether u can be moved with f integrated out: every row counts once, or v₂ is 0.
  [[nodiscard]] bool moves_noisy_values() const { return noisy_.has_value(); }
  // The steps of u: log (1 - missed)/wrong of each row, all its copies together.
  [[nodiscard]] const Vector& rise() const { return rise_; }
  [[nodiscard]] Vector noisy_values_of(const Vector& f, Random& random) const;
  [[nodiscard]] Vector draw_prior(ReferenceDraws& from_prior,
                                  Random& random) const;  // N(0, K + v₂ I)
  void move_noisy_values(Vector& u, const Vector& rise, ReferenceDraws& from_prior,
                         Random& random) const;

 private:
  explicit GibbsStep(const LabelFactors& factors);
  // u ~ N(f, v₂) × the row's step.
  [[nodiscard]] double draw_noisy(Index row, double f, Random& random) const;

  const LabelFactors* factors_;
  Vector rise_;
  std::optional<GaussianReference>
      given_noise_;                       // prior × N(u; f, V), but for u itself; where v₂ > 0
  std::optional<SteppedGaussian> noisy_;  // u
};

}  // namespace candor
