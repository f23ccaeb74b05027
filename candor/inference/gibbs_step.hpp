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
// counts once, u is therefore moved between the two with f integrated out,
//
//   u_i | u_others, y   N(u_i - (Pu)_i/P_ii, 1/P_ii) × the step,   P = (K + v₂ I)⁻¹
//
// one row after the other, also O(n²): steps as long as the other rows leave open.  Below
// v₂ = 1e-9 tr K that move is left out: K + v₂ I may then have a condition number beyond 1e9, of
// whose inverse less than six digits are right, and the chain would have another posterior.
#pragma once

#include <candor/inference/gaussian_reference.hpp>
#include <candor/inference/label_factors.hpp>
#include <candor/linalg/random.hpp>
#include <candor/linalg/threads.hpp>

#include <optional>
#include <utility>

namespace candor {

class GibbsStep {
 public:
  // Nothing where labels are no noisy step, v₂ is 0, or a row is not a moderate number of whole
  // copies.  `factors` must outlive this.
  [[nodiscard]] static std::optional<GibbsStep> of(const LabelFactors& factors, const Matrix& L,
                                                   Threads threads = {});

  void sweep(Vector& f, Random& random) const;
  // Whether u is moved with f integrated out.
  [[nodiscard]] bool moves_noisy_values() const { return precision_.size() > 0; }

 private:
  GibbsStep(const LabelFactors& factors, GaussianReference given_noise, Matrix precision)
      : factors_(&factors),
        given_noise_(std::move(given_noise)),
        precision_(std::move(precision)) {}
  // u ~ N(mean, variance) × the row's step.
  [[nodiscard]] double draw_noisy(Index row, Moments before, Random& random) const;
  void move_noisy(Vector& u, Random& random) const;

  const LabelFactors* factors_;
  GaussianReference given_noise_;  // prior × N(u; f, V), but for u itself: tau is diag V⁻¹
  Matrix precision_;               // P, or empty
};

}  // namespace candor
