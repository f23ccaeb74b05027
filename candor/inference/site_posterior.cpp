// SPDX-License-Identifier: MIT
#include <candor/inference/site_posterior.hpp>

#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace candor {
namespace {

using blas::Op;
using blas::Side;

// Exchanges rows and columns i < j of a symmetric matrix held in its lower triangle.
void swap_symmetric(Matrix& B, Index i, Index j) {
  const Index n = B.rows(), between = j - i - 1, after = n - j - 1;
  B.row(i).head(i).swap(B.row(j).head(i));
  B.col(i).segment(i + 1, between).swap(B.row(j).segment(i + 1, between).transpose());
  B.col(i).tail(after).swap(B.col(j).tail(after));
  std::swap(B(i, i), B(j, j));
}

// Pieces of at most 256: what bounds the memory of explicit columns.
std::vector<std::vector<Index>> chunks(const std::vector<Index>& all) {
  constexpr std::size_t longest = 256;
  std::vector<std::vector<Index>> pieces;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % longest == 0) pieces.emplace_back();
    pieces.back().push_back(all[i]);
  }
  return pieces;
}

}  // namespace

SitePosterior::SitePosterior(std::shared_ptr<const Matrix> K, Threads threads)
    : K_(std::move(K)), factor_(K_->rows(), K_->rows()), threads_(threads), positive_(K_->rows()) {
  prefer_huge_pages(factor_);
}

Vector SitePosterior::prior_variance() const {
  constexpr double smallest = 1e-150;
  return K().diagonal().cwiseMax(smallest);
}

Vector SitePosterior::apply_prior(const Vector& x) const { return blas::symv(K(), x); }

void SitePosterior::order_sites() {
  const Index n = size();
  positive_ = (tau_.array() >= 0.0).count();
  swaps_.clear();
  for (Index i = 0, j = positive_; i < positive_; ++i) {
    if (tau_[i] >= 0.0) continue;
    while (j < n && tau_[j] < 0.0) ++j;
    swaps_.emplace_back(i, j++);
  }
}

std::vector<Index> SitePosterior::places() const {
  std::vector<Index> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), Index{0});
  for (const auto& [i, j] : swaps_) {
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(j)]);
  }
  return all;
}

void SitePosterior::scaled_prior(double relative_jitter) {
  const Index n = size();
  constexpr Index columns = 64;
  parallel_for((n + columns - 1) / columns, threads_, [&](Index task) {
    for (Index j = task * columns; j < std::min(n, (task + 1) * columns); ++j) {
      factor_.col(j).tail(n - j) =
          K().col(j).tail(n - j).cwiseProduct(scale_.tail(n - j)) * scale_[j];
    }
  });
  if (relative_jitter > 0.0) {
    factor_.diagonal().array() += relative_jitter * factor_.diagonal().mean();
  }
  for (const auto& [i, j] : swaps_) swap_symmetric(factor_, i, j);
  factor_.diagonal().head(positive_).array() += 1.0;
  factor_.diagonal().tail(n - positive_).array() -= 1.0;
}

bool SitePosterior::factor_negative_block() {
  const Index m = negative_sites();
  auto B_21 = factor_.bottomLeftCorner(m, positive_);
  auto B_22 = factor_.bottomRightCorner(m, m);
  blas::trsm(Side::right, 1.0, factor_.topLeftCorner(positive_, positive_), Op::transpose, B_21);
  blas::syrk(1.0, B_21, Op::none, -1.0,
             B_22);  // minus the Schur complement, positive iff q is proper
  return cholesky_in_place(B_22, threads_);
}

bool SitePosterior::factor() {
  // Eigenvalues of the positive block are at least 1: only rounding can make it fail, and a little
  // jitter mends that.  A failing negative block means an improper q, which jitter must not hide.
  constexpr double max_jitter = 1e-8;
  for (double jitter = 0.0; jitter <= max_jitter; jitter = jitter == 0.0 ? 1e-14 : 10.0 * jitter) {
    scaled_prior(jitter);
    if (!factor_.diagonal().allFinite()) return false;
    if (!cholesky_in_place(factor_.topLeftCorner(positive_, positive_), threads_)) continue;
    jitter_ = std::max(jitter_, jitter);
    return negative_sites() == 0 || factor_negative_block();
  }
  return false;
}

bool SitePosterior::set_precisions(const Vector& tau) {
  tau_ = tau;
  proper_ = inverted_ = false;
  if (!tau_.allFinite()) return false;
  scale_ = tau_.cwiseAbs().cwiseSqrt();
  order_sites();
  if (!factor()) return false;
  log_determinant_ = 2.0 * factor_.diagonal().array().log().sum();
  return proper_ = std::isfinite(log_determinant_);
}

void SitePosterior::invert_factor() {
  if (inverted_) return;
  row_squares_ = signed_row_squares();
  invert_lower_in_place(factor_, threads_);
  inverted_ = true;
}

std::vector<Index> SitePosterior::sites_below(double bound) const {
  std::vector<Index> found;
  for (Index i = 0; i < size(); ++i) {
    if (std::abs(tau_[i]) * K()(i, i) < bound) found.push_back(i);
  }
  return found;
}

// Σ_{j<i} J_j L_ij² of every row i; zero where nobody will ask.
Vector SitePosterior::signed_row_squares() const {
  Vector sums = Vector::Zero(size());
  if (sites_below(cancelling_site).empty()) return sums;
  for (Index j = 0; j + 1 < size(); ++j) {
    const Index below = size() - j - 1;
    const auto squares = factor_.col(j).tail(below).cwiseAbs2();
    j < positive_ ? sums.tail(below) += squares : sums.tail(below) -= squares;
  }
  return sums;
}

void SitePosterior::swap_rows(MatrixOut x) const {
  for (const auto& [i, j] : swaps_) x.row(i).swap(x.row(j));
}

void SitePosterior::whiten(MatrixOut x) const {
  if (!inverted_) return solve_lower_in_place(factor_, Op::none, x);
  if (x.cols() == 1) {
    x.col(0) = blas::trmv(factor_, Op::none, x.col(0));
  } else {
    blas::trmm(Side::left, 1.0, factor_, Op::none, x);
  }
}

void SitePosterior::whiten_transposed(MatrixOut x) const {
  if (!inverted_) return solve_lower_in_place(factor_, Op::transpose, x);
  if (x.cols() == 1) {
    x.col(0) = blas::trmv(factor_, Op::transpose, x.col(0));
  } else {
    blas::trmm(Side::left, 1.0, factor_, Op::transpose, x);
  }
}

Matrix SitePosterior::apply_precision_to(const MatrixRef& X) const {
  Matrix V = scale_.asDiagonal() * X;
  swap_rows(V);
  whiten(V);
  V.bottomRows(negative_sites()) *= -1.0;
  whiten_transposed(V);
  swap_rows(V);
  return scale_.asDiagonal() * V;
}

Vector SitePosterior::apply_precision(const Vector& x) const { return apply_precision_to(x); }

// α = ν - W K ν in general; α = W T⁻¹ ν where τ k is not small, which needs no product with K and
// loses nothing when τ k is large.  By linearity each ν_i may take its own way.
SitePosterior::Mean SitePosterior::mean(const Vector& nu) const {
  const std::vector<Index> small = sites_below(small_site);
  Vector nu_small = Vector::Zero(size());
  Vector x = nu.cwiseQuotient(tau_);
  for (const Index i : small) {
    nu_small[i] = nu[i];
    x[i] = 0.0;
  }
  if (!small.empty()) x -= apply_prior(nu_small);
  Mean result{nu_small + apply_precision(x), {}};
  result.mu = (nu - result.alpha).cwiseQuotient(tau_);
  if (!small.empty()) result.mu(small) = apply_prior(result.alpha)(small);
  return result;
}

// A_ii = (J_i - [L⁻ᵀ J L⁻¹]_ii)/|τ_i|, whose numerator cancels where |τ_i| k_ii is small.  There
//   A_ii = k_ii - vᵀJv/|τ_i|,   v = L⁻¹ S K S e_i = (J Lᵀ - L⁻¹ J) e_i,
// by L J Lᵀ = J + S K S: row i of L before the diagonal, column i of L⁻¹ after it, and between them
// J_i (L_ii - 1/L_ii), of which the digits lost do not count, since its square is of order τ_i².
Vector SitePosterior::variance() {
  invert_factor();
  const Index n = size();
  Vector b(n), explained(n);
  for (Index i = 0; i < n; ++i) {
    const auto below = factor_.col(i).tail(n - i - 1);
    const Index negative = std::min(negative_sites(), n - i - 1);
    const double squares =
        below.head(n - i - 1 - negative).squaredNorm() - below.tail(negative).squaredNorm();
    const double sign = i < positive_ ? 1.0 : -1.0, M_ii = factor_(i, i);
    const double v_ii = 1.0 / M_ii - M_ii;
    b[i] = sign * M_ii * M_ii + squares;
    explained[i] = row_squares_[i] + sign * v_ii * v_ii + squares;
  }
  swap_rows(b);
  swap_rows(explained);
  Vector variance(n);
  for (Index i = 0; i < n; ++i) {
    const double sign = tau_[i] < 0.0 ? -1.0 : 1.0, size_of_tau = std::abs(tau_[i]);
    variance[i] = size_of_tau * K()(i, i) < cancelling_site ? K()(i, i) - explained[i] / size_of_tau
                                                            : (sign - b[i]) / size_of_tau;
  }
  for (const std::vector<Index>& columns : chunks(sites_below(vanishing_site))) {
    variance(columns) = K().diagonal()(columns) - explained_variance(K()(Eigen::all, columns));
  }
  // A variance is positive: where rounding left none, what remains is below the last digit of k_ii.
  constexpr double share = 1e-4 * std::numeric_limits<double>::epsilon();
  return variance.cwiseMax((share * prior_variance()).cwiseMax(1e-150));
}

Vector SitePosterior::explained_variance(const MatrixRef& K_cross) const {
  Matrix V = scale_.asDiagonal() * K_cross;
  swap_rows(V);
  whiten(V);
  return V.topRows(positive_).colwise().squaredNorm() -
         V.bottomRows(negative_sites()).colwise().squaredNorm();
}

// Lower triangle of L⁻ᵀ J L⁻¹ in the original order.  With L⁻¹ = [M₁₁ 0; M₂₁ M₂₂]:
//   [M₁₁ᵀM₁₁ - M₂₁ᵀM₂₁, ·; -M₂₂ᵀM₂₁, -M₂₂ᵀM₂₂].
Matrix SitePosterior::inverse_of_B() {
  invert_factor();
  const Index m = negative_sites();
  Matrix G = factor_;
  gram_of_lower_in_place(G.topLeftCorner(positive_, positive_), threads_);
  if (m > 0) {
    auto G_21 = G.bottomLeftCorner(m, positive_);
    auto G_22 = G.bottomRightCorner(m, m);
    blas::syrk(-1.0, G_21, Op::transpose, 1.0, G.topLeftCorner(positive_, positive_));
    blas::trmm(Side::left, -1.0, G_22, Op::transpose, G_21);
    blas::lauum(G_22);
    G_22 *= -1.0;
  }
  for (const auto& [i, j] : swaps_) swap_symmetric(G, i, j);
  return G;
}

// W_IJ = S_I Σ_{k ≥ I} J_k M_kiᵀ M_kj S_J with M = L⁻¹: the triangle M_ii by itself, the rows below
// it in two products, one for each sign.
void SitePosterior::adjoint_block(Index first_row, Index first_col, const Vector& alpha,
                                  const Vector& u, MatrixOut out) const {
  const Index rows = out.rows(), cols = out.cols(), below = first_row + rows;
  const bool diagonal = first_row == first_col;
  assert(inverted_ && (diagonal || first_row >= first_col + cols));
  const auto M_ii = factor_.block(first_row, first_row, rows, rows);
  out = factor_.block(first_row, first_col, rows, cols);
  if (diagonal) out.triangularView<Eigen::StrictlyUpper>().setZero();
  for (Index k = std::max<Index>(0, positive_ - first_row); k < rows; ++k) out.row(k) *= -1.0;
  blas::trmm(Side::left, 1.0, M_ii, Op::transpose, out);
  const auto add_rows = [&](double sign, Index from, Index to) {
    if (from >= to) return;
    const auto M_ki = factor_.block(from, first_row, to - from, rows);
    const auto M_kj = factor_.block(from, first_col, to - from, cols);
    if (diagonal) return blas::syrk(sign, M_ki, Op::transpose, 1.0, out);
    blas::gemm(sign, M_ki, Op::transpose, M_kj, Op::none, 1.0, out);
  };
  add_rows(1.0, below, positive_);
  add_rows(-1.0, std::max(below, positive_), size());
  if (diagonal) out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  // ½(α αᵀ + u αᵀ + α uᵀ - W), the factors gathered so that one pass does
  const Vector w = std::sqrt(0.5) * in_internal_order(scale_);
  const Vector left = 0.5 * (alpha + u).segment(first_row, rows);
  const Vector w_rows = w.segment(first_row, rows);
  for (Index c = 0, j = first_col; c < cols; ++c, ++j) {
    out.col(c) = alpha[j] * left - w[j] * w_rows.cwiseProduct(out.col(c));
    if (u[j] != 0.0) out.col(c) += (0.5 * u[j]) * alpha.segment(first_row, rows);
  }
}

void SitePosterior::add_adjoint(const Vector& alpha, Matrix& K_bar) const {
  constexpr Index tile = 256;
  const Index n = size(), tiles = (n + tile - 1) / tile;
  const Vector alpha_q = in_internal_order(alpha), no_shift = Vector::Zero(n);
  const std::vector<Index> row = places();
  parallel_for(tiles * tiles, threads_, [&](Index task) {
    const Index first_row = task / tiles * tile, first_col = task % tiles * tile;
    if (first_row < first_col) return;
    Matrix block(std::min(tile, n - first_row), std::min(tile, n - first_col));
    adjoint_block(first_row, first_col, alpha_q, no_shift, block);
    for (Index c = 0; c < block.cols(); ++c) {
      const Index j = row[static_cast<std::size_t>(first_col + c)];
      for (Index r = 0; r < block.rows(); ++r) {
        const Index i = row[static_cast<std::size_t>(first_row + r)];
        K_bar(i, j) += block(r, c);
        if (first_row != first_col) K_bar(j, i) += block(r, c);
      }
    }
  });
}

Matrix SitePosterior::in_internal_order(Matrix rows) const {
  swap_rows(rows);
  return rows;
}

// A = T⁻¹ - T⁻¹ W T⁻¹.  Off the diagonal nothing cancels: L⁻ᵀ J L⁻¹ is of order s_i s_j there.
Matrix SitePosterior::covariance() {
  const Index n = size();
  const Vector diagonal = variance();
  Matrix A = inverse_of_B();
  const Vector signed_inverse_scale = tau_.unaryExpr(
      [](double t) { return t == 0.0 ? 0.0 : std::copysign(1.0 / std::sqrt(std::abs(t)), t); });
  for (Index j = 0; j < n; ++j) {
    A.col(j).tail(n - j).array() *=
        -signed_inverse_scale[j] * signed_inverse_scale.tail(n - j).array();
  }
  A.diagonal() = diagonal;
  write_vanishing_columns(A);
  return A;
}

Vector SitePosterior::covariance_of(const std::vector<std::pair<Index, Index>>& pairs) {
  invert_factor();
  const std::vector<Index> place = places();
  Vector result(std::ssize(pairs));
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [i, j] = pairs[k];
    double& A_ij = result[static_cast<Index>(k)];
    if (std::min(std::abs(tau_[i]), std::abs(tau_[j])) * std::max(K()(i, i), K()(j, j)) <
        vanishing_site) {
      A_ij = K()(i, j) - K().col(i).dot(apply_precision(K().col(j)));
      continue;
    }
    const Index a = place[static_cast<std::size_t>(i)], b = place[static_cast<std::size_t>(j)];
    const Index from = std::max(a, b), upto = std::max(positive_, from);  // L⁻¹ is 0 above these
    const auto column = [&](Index c, Index first, Index last) {
      return factor_.col(c).segment(first, last - first);
    };
    const double B_inverse = column(a, from, upto).dot(column(b, from, upto)) -
                             column(a, upto, size()).dot(column(b, upto, size()));
    A_ij = -B_inverse / std::copysign(scale_[i], tau_[i]) / std::copysign(scale_[j], tau_[j]);
  }
  return result;
}

// Columns of A = K - K W K, for vanishing sites, a chunk at a time.
void SitePosterior::write_vanishing_columns(Matrix& A) const {
  for (const std::vector<Index>& columns : chunks(sites_below(vanishing_site))) {
    Matrix A_small = K()(Eigen::all, columns);
    blas::gemm(-1.0, K(), Op::none, apply_precision_to(A_small), Op::none, 1.0, A_small);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Index i = columns[c];
      const auto column = A_small.col(static_cast<Index>(c));
      A.col(i).tail(size() - i) = column.tail(size() - i);
      A.row(i).head(i) = column.head(i).transpose();
    }
  }
}

}  // namespace candor
