// SPDX-License-Identifier: MIT
// The algebra shared by every Gaussian approximation, on a dense covariance.
//
//   q(f) ∝ N(f; 0, K) exp(νᵀf - ½ fᵀTf) = N(μ, A),   A = (K⁻¹ + T)⁻¹,   T = diag(τ), τ of any sign
//
// With S = |T|^½ and J = sign(T), everything follows from one triangular factor,
//
//   J + S K S = L J Lᵀ,   W = (K + T⁻¹)⁻¹ = S L⁻ᵀ J L⁻¹ S,   log|I + K T| = 2 Σ log L_ii,
//
// which exists exactly when q is proper.  Rows with τ ≥ 0 are factored first and those with τ < 0
// last, so that L is one Cholesky factor and a second, small one for the Schur complement.  For
// τ ≥ 0 this is [RW06, §3.6.3]; nothing divides by τ where τ k_ii is small; K is never factored.
//
// All O(n³) work happens here, but for the rank-one updates of sequential EP.  Memory: K and L,
// 2 n² doubles; copies share K; covariance() returns a third n² matrix.
#pragma once

#include <candor/covariance/gram.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/huge_pages.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace candor {

// K in tiles of the lower triangle, mirrored: half the work by symmetry.
template <YieldsBlocks C>
[[nodiscard]] std::shared_ptr<const Matrix> covariance_matrix(const C& covariance,
                                                              Threads threads) {
  constexpr Index tile = 256;
  const Index n = covariance.size(), tiles = (n + tile - 1) / tile;
  const auto K = std::make_shared<Matrix>(n, n);
  prefer_huge_pages(*K);
  parallel_for(tiles * tiles, threads, [&](Index task) {
    const Index i = task / tiles * tile, j = task % tiles * tile;
    if (i < j) return;
    const Index rows = std::min(tile, n - i), cols = std::min(tile, n - j);
    covariance.block(i, j, K->block(i, j, rows, cols));
    if (i != j) K->block(j, i, cols, rows) = K->block(i, j, rows, cols).transpose();
  });
  check_all_finite("the covariance of the rows of X", *K);
  return K;
}

class SitePosterior {
 public:
  SitePosterior() = default;  // of no rows
  template <YieldsBlocks C>
  explicit SitePosterior(const C& covariance, Threads threads = {});
  // Of a covariance that others may share; both triangles, finite.
  explicit SitePosterior(std::shared_ptr<const Matrix> K, Threads threads = {});

  [[nodiscard]] Index size() const { return K_->rows(); }
  [[nodiscard]] const Matrix& prior_covariance() const { return *K_; }
  // diag(K), raised to the smallest variance whose inverse and square are safe: a row of which the
  // prior is certain (k_ii = 0) is then one it is very nearly certain of.
  [[nodiscard]] Vector prior_variance() const;
  [[nodiscard]] Vector apply_prior(const Vector& x) const;  // K x
  [[nodiscard]] Threads threads() const { return threads_; }

  // Replaces the site precisions: one factorisation, n³/3.  False when q would be improper (or the
  // factor not exist to working precision); nothing below may be asked for until a call succeeds.
  [[nodiscard]] bool set_precisions(const Vector& tau);

  // α = K⁻¹ μ = ν - T μ, and μ = A ν.  O(n²).
  struct Mean {
    Vector alpha;
    Vector mu;
  };
  [[nodiscard]] Mean mean(const Vector& nu) const;

  // diag(A).  The first call after set_precisions inverts L in place, n³/3; n² more for each
  // vanishing site.
  [[nodiscard]] Vector variance();

  // log|I + K T|
  [[nodiscard]] double log_determinant() const { return log_determinant_; }

  // W x, with W = (K + T⁻¹)⁻¹.
  [[nodiscard]] Vector apply_precision(const Vector& x) const;

  // A_ij for single pairs i ≠ j of rows.  O(n) each, after variance(); n² for a vanishing site.
  [[nodiscard]] Vector covariance_of(const std::vector<std::pair<Index, Index>>& pairs);

  // A, of which the lower triangle is meaningful.  n³/3 and n² memory; 4n² more for each vanishing
  // site.
  [[nodiscard]] Matrix covariance();

  // A block of K̄ = ½(ααᵀ + uαᵀ + αuᵀ - W), everything in internal order: on the diagonal
  // (first_row == first_col) or wholly below it.  All blocks together cost n³/3, and no n×n memory.
  // Asks for L⁻¹: call variance() before.
  void adjoint_block(Index first_row, Index first_col, const Vector& alpha, const Vector& u,
                     MatrixOut out) const;

  // Adds ½(ααᵀ - W), both triangles and rows in their original order, to K_bar (n×n).  Costs n³/3;
  // asks for L⁻¹ likewise.
  void add_adjoint(const Vector& alpha, Matrix& K_bar) const;

  // Rows as the factor orders them, negative sites last; the same exchange leads back.
  [[nodiscard]] Matrix in_internal_order(Matrix rows) const;

  // k*ᵀ W k* for every column k* of K_cross (n×t): what the data take off a prior variance.
  [[nodiscard]] Vector explained_variance(const MatrixRef& K_cross) const;

  // Whether the last set_precisions succeeded.
  [[nodiscard]] bool is_proper() const { return proper_; }
  [[nodiscard]] const Vector& tau() const { return tau_; }
  [[nodiscard]] Index negative_sites() const { return size() - positive_; }
  // Largest relative jitter any factorisation so far needed on I + S K S.
  [[nodiscard]] double jitter() const { return jitter_; }

  // Where |τ_i| k_ii is below these bounds, dividing by τ_i loses digits: of a variance, which is
  // a difference divided by it; of a mean; and all of them, once √τ_i squared underflows.
  static constexpr double cancelling_site = 0.1;
  static constexpr double small_site = 1e-3;
  static constexpr double vanishing_site = 1e-100;

 private:
  // B is I + S K S up to a swap of rows, so that negative sites stand last.
  void order_sites();
  // Of each row of the table its place in the factor, and as well the other way round.
  [[nodiscard]] std::vector<Index> places() const;
  void scaled_prior(double relative_jitter);
  [[nodiscard]] bool factor();
  [[nodiscard]] bool factor_negative_block();
  void invert_factor();
  [[nodiscard]] std::vector<Index> sites_below(double bound) const;
  [[nodiscard]] Vector signed_row_squares() const;
  [[nodiscard]] Matrix inverse_of_B();
  void write_vanishing_columns(Matrix& A) const;

  void swap_rows(MatrixOut x) const;          // vectors and n×t blocks, there and back
  void whiten(MatrixOut x) const;             // x ← L⁻¹ x
  void whiten_transposed(MatrixOut x) const;  // x ← L⁻ᵀ x
  [[nodiscard]] Matrix apply_precision_to(const MatrixRef& X) const;

  [[nodiscard]] const Matrix& K() const { return *K_; }

  // n×n, symmetric, both triangles; never changes
  std::shared_ptr<const Matrix> K_ = std::make_shared<const Matrix>();
  Matrix factor_;       // lower: L, or L⁻¹ once inverted_
  Vector row_squares_;  // of L, kept when it is inverted
  Threads threads_;
  Vector tau_;
  Vector scale_;  // S = |τ|^½, original order
  std::vector<std::pair<Index, Index>>
      swaps_;           // disjoint transpositions that put negative sites last
  Index positive_ = 0;  // rows with τ ≥ 0
  bool proper_ = false;
  bool inverted_ = false;
  double log_determinant_ = 0.0;
  double jitter_ = 0.0;
};

template <YieldsBlocks C>
SitePosterior::SitePosterior(const C& covariance, Threads threads)
    : SitePosterior(covariance_matrix(covariance, threads), threads) {}

}  // namespace candor
