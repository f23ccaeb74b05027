// SPDX-License-Identifier: MIT
// A posterior of many classes that factorises over them: one SitePosterior per class, whose sites
// are diagonal,
//
//   q(f) = Π_c N(f_c; 0, K_c) Π_i exp(ν_ic f_ic - ½ τ_ic f_ic²)                        [HHD11]
//
// The dependence of the classes' latent values on each other is left out, and that costs evidence
// (docs/math/multiclass.md); all else is C binary problems: 2C n³/3 for a factorisation with its
// variances.  Memory (C + 1) n² doubles where the classes share one covariance, and n² more for a
// gradient.
//
// Of the matrices below one row belongs to one row of the table, one column to one class.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <memory>
#include <vector>

namespace candor {

class FactorisedPosterior {
 public:
  // One covariance for all classes, or one for each.
  FactorisedPosterior(Index classes, const std::vector<std::shared_ptr<const Matrix>>& K,
                      Threads threads);

  [[nodiscard]] Index rows() const { return blocks_.front().size(); }
  [[nodiscard]] Index latents() const { return static_cast<Index>(blocks_.size()); }
  [[nodiscard]] Index site_size() const { return latents(); }  // numbers of a row's precision
  [[nodiscard]] Threads threads() const { return blocks_.front().threads(); }

  // False when q would be improper.
  [[nodiscard]] bool set_precisions(const Matrix& tau);
  struct Mean {
    Matrix alpha;  // K⁻¹ μ
    Matrix mu;
  };
  [[nodiscard]] Mean mean(const Matrix& nu) const;
  [[nodiscard]] Matrix covariance();  // of each row: variances
  [[nodiscard]] Matrix prior_covariance() const;
  [[nodiscard]] double log_determinant() const;  // log|I + K T|
  [[nodiscard]] double jitter() const;
  [[nodiscard]] Index negative_sites() const;

  // ∂ log evidence/∂(log parameters) of each covariance, one after the other.
  [[nodiscard]] Vector pullback(const std::vector<Covariance>& covariances, const Matrix& X,
                                const Matrix& alpha) const;

  // What the data take off the prior variance of new rows, given their covariance with the training
  // rows (n×t), one or one per class: t×C.
  [[nodiscard]] Matrix explained(const std::vector<Matrix>& K_cross) const;

 private:
  std::vector<SitePosterior> blocks_;
};

}  // namespace candor
