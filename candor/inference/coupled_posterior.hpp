// SPDX-License-Identifier: MIT
// A posterior of two or three classes with full sites.  Only differences of latent values say
// anything, so it is one over contrasts g = B f (contrasts() of likelihood/robust_max_coupled.hpp), whose
// prior is D = C - 1 independent processes where the classes share one covariance K:
//
//   q(g) ∝ Π_d N(g_d; 0, K) Π_i exp(ν_iᵀg_i - ½ g_iᵀT_i g_i),   T_i symmetric D×D, of any sign
//
// With T_i = U_iᵀ diag(t_i) U_i the rotated values U_i g_i have diagonal sites and the covariance
// K_ij U_i U_jᵀ: one SitePosterior of D n rows does the rest, (2/3)(D n)³ flops, 5.3 n³ for three
// classes.  Memory 2 (D n)² + n² doubles.
//
// Of the matrices below one row belongs to one row of the table.  Symmetric D×D matrices are held by
// the columns of their lower triangles: (11), or (11, 21, 22).
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <memory>
#include <vector>

namespace candor {

// D×D from its D(D+1)/2 numbers, and back.
[[nodiscard]] Matrix unpacked(const VectorRef& lower, Index size);
[[nodiscard]] Vector packed(const Matrix& symmetric);

class CoupledPosterior {
 public:
  CoupledPosterior(Index classes, std::shared_ptr<const Matrix> K, Threads threads);

  [[nodiscard]] Index rows() const { return K_->rows(); }
  [[nodiscard]] Index latents() const { return latents_; }
  [[nodiscard]] Index site_size() const { return latents_ * (latents_ + 1) / 2; }
  [[nodiscard]] Threads threads() const { return threads_; }

  // False when q would be improper.
  [[nodiscard]] bool set_precisions(const Matrix& T);
  struct Mean {
    Matrix alpha;  // K⁻¹ μ
    Matrix mu;
  };
  [[nodiscard]] Mean mean(const Matrix& nu) const;
  [[nodiscard]] Matrix covariance();
  [[nodiscard]] Matrix prior_covariance() const;
  [[nodiscard]] double log_determinant() const { return rotated_.log_determinant(); }
  [[nodiscard]] double jitter() const { return rotated_.jitter(); }
  [[nodiscard]] Index negative_sites() const { return rotated_.negative_sites(); }

  // As of FactorisedPosterior; there is one covariance.
  [[nodiscard]] Vector pullback(const std::vector<Covariance>& covariances, const Matrix& X,
                                const Matrix& alpha) const;
  [[nodiscard]] Matrix explained(const std::vector<Matrix>& K_cross) const;

 private:
  [[nodiscard]] auto U(Index a, Index d) const { return U_.col(a * latents_ + d); }
  [[nodiscard]] Matrix rotation_of(Index row) const;
  void rotate_prior();
  [[nodiscard]] Vector rotated(const Matrix& x) const;       // n×D to D n
  [[nodiscard]] Matrix rotated_back(const Vector& x) const;  // and back
  [[nodiscard]] Matrix rotated_cross(const Matrix& K_cross, const Vector& direction) const;

  std::shared_ptr<const Matrix> K_;
  Index latents_;
  Threads threads_;
  Matrix U_;               // n×D²: [U_i]_ad in column a D + d
  SitePosterior rotated_;  // row i of rotated latent d at d n + i
};

}  // namespace candor
