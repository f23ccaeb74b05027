// SPDX-License-Identifier: MIT
// A Gaussian to draw from, in place of the posterior or on the way to it: the prior times a Gaussian
// site per row,
//
//   N(f; 0, K) Π exp(ν_i f_i - ½ τ_i f_i²) = Z N(f; μ, A),   A = (K⁻¹ + T)⁻¹
//
// With K = L Lᵀ and M = I + LᵀTL = C Cᵀ it is f = μ + S z, S = L C⁻ᵀ, z standard normal, and
// log Z = ½ νᵀμ - ½ log|M|.  Sites may be negative as long as M is positive definite.  The prior
// itself is that of no sites.
#pragma once

#include <candor/linalg/blas.hpp>
#include <candor/linalg/random.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <optional>

namespace candor {

struct GaussianReference {
  Vector tau, nu;    // of all copies of a row together
  Vector mean;       // μ
  Matrix factor;     // S, n×n
  double log_Z = 0;  // of prior × sites
};

// `L` is the lower factor of K, its strict upper triangle zero.
[[nodiscard]] GaussianReference reference_of_prior(Matrix L);
// n³; nothing where the sites do not leave a proper Gaussian.
[[nodiscard]] std::optional<GaussianReference> reference_of_sites(const Matrix& L,
                                                                  const Vector& tau,
                                                                  const Vector& nu,
                                                                  Threads threads = {});

// Deviations S z from the mean, one after the other; made in blocks, so that S is read once for
// many.  The reference must outlive this.
class ReferenceDraws {
 public:
  static constexpr Index at_once = 16;

  ReferenceDraws(const GaussianReference& reference, Random random);

  [[nodiscard]] auto next() {
    if (used_ == block_.cols()) refill();
    return block_.col(used_++);
  }

 private:
  void refill();

  const GaussianReference* reference_;
  Random random_;
  Matrix block_;
  Index used_ = 0;
};

}  // namespace candor
