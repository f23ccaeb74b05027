// SPDX-License-Identifier: MIT
// The algebra of Laplace's approximation for C classes with independent priors f_c ~ N(0, K_c).
//
//   W = D - ΠΠᵀ,   D = diag(π),   E_c = (K_c + D_c⁻¹)⁻¹ = D_c^½ B_c⁻¹ D_c^½,   B_c = I + D_c^½ K_c D_c^½
//   P = (K + W⁻¹)⁻¹ = E - E R (Σ_c E_c)⁻¹ Rᵀ E,   R = C identities, one below the other
//   log|I + K W| = Σ_c log|B_c| + log|Σ_c E_c|                        [RW06, §3.5, algorithm 3.3]
//
// W is singular (equal shifts of all classes do not matter) but P exists.  The last term of the log
// determinant is easily forgotten.  Nothing of size Cn × Cn is formed: set_probabilities costs
// C n³ + n³/3 flops, all by blocks.  Memory: K once if all classes share it, else C times, C factors
// and that of Σ_c E_c, n² doubles each; one more while factoring, four in softmax_evidence_gradient.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace candor {

class SoftmaxPosterior {
 public:
  // One covariance for all classes, or one for each.  InvalidInput for any other number of them,
  // fewer than 2 classes, or a table on which they cannot be evaluated.
  SoftmaxPosterior(const std::vector<Covariance>& covariances, const Matrix& X, Index classes,
                   Threads threads);

  [[nodiscard]] Index size() const { return K_.front()->rows(); }
  [[nodiscard]] Index classes() const { return static_cast<Index>(whitening_.size()); }
  [[nodiscard]] bool is_shared() const { return K_.size() == 1; }
  [[nodiscard]] Threads threads() const { return threads_; }
  [[nodiscard]] Matrix prior_variance() const;              // n×C, k_c(x_i, x_i)
  [[nodiscard]] Matrix apply_prior(const Matrix& x) const;  // K_c x_c for every column of an n×C x

  // Replaces π (n×C): factors every B_c and Σ_c E_c.  Throws NumericalError when one has no factor
  // at the largest jitter.
  void set_probabilities(const Matrix& pi);
  [[nodiscard]] const Matrix& probabilities() const { return pi_; }

  [[nodiscard]] Matrix apply_precision(const Matrix& x) const;               // P x, n×C
  [[nodiscard]] double log_determinant() const { return log_determinant_; }  // log|I + K W|
  // Largest relative jitter any factorisation so far needed.
  [[nodiscard]] double jitter() const { return jitter_; }

  // What the data leave of prior variances (t×C) of the latent values at t inputs: one C×C
  // covariance per input.  K_cross holds k_c(X, X_test), n×t, once or for every class.
  [[nodiscard]] std::vector<Matrix> latent_covariances(const std::vector<Matrix>& K_cross,
                                                       const MatrixRef& prior_variance) const;

  // E_c, both triangles.  n³/3.
  [[nodiscard]] Matrix class_precision(Index c) const;
  // L of Σ_c E_c = L Lᵀ, zero above the diagonal.
  [[nodiscard]] const Matrix& sum_factor() const { return sum_factor_; }

 private:
  [[nodiscard]] const Matrix& prior(Index c) const {
    return *K_[is_shared() ? 0 : static_cast<std::size_t>(c)];
  }
  [[nodiscard]] const Matrix& whitening(Index c) const {
    return whitening_[static_cast<std::size_t>(c)];
  }
  void factor_class(Index c);
  void add_class_precision(Index c, Matrix& sum) const;
  [[nodiscard]] Matrix apply_class_precisions(const Matrix& x) const;  // E_c x_c

  std::vector<std::shared_ptr<const Matrix>> K_;  // one, or one per class; both triangles
  std::vector<Matrix> whitening_;  // L_c⁻¹ with B_c = L_c L_cᵀ, zero above the diagonal
  Matrix sum_factor_;
  Matrix pi_;
  Matrix scale_;  // π^½
  Threads threads_;
  double log_determinant_ = 0.0;
  double jitter_ = 0.0;
};

}  // namespace candor
