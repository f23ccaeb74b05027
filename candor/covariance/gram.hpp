// SPDX-License-Identifier: MIT
// The training covariance K(X, X) as a source of blocks, and the adjoint of building it.
//
// Inference never asks for "the" matrix: it asks for blocks, so that a low-rank or device form can
// take the place of this one.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <concepts>
#include <functional>

namespace candor {

// What inference needs to know of a training covariance.
template <class C>
concept YieldsBlocks = requires(const C& covariance, Index i, MatrixOut out) {
  { covariance.size() } -> std::convertible_to<Index>;
  covariance.block(i, i, out);  // fills out with the block of K from this row and column on
};

// Blocks of k(X, X), noise on the diagonal included.  Both arguments must outlive this view.
class Gram {
 public:
  Gram(const Covariance& covariance, const Matrix& X);  // checks both: InvalidInput

  [[nodiscard]] Index size() const;
  void block(Index first_row, Index first_col, MatrixOut out) const;

 private:
  const Covariance* covariance_;
  const Matrix* X_;
  bool all_known_;
};

// Fills `out` with a block of the symmetric adjoint K̄ = ∂L/∂K, starting at (first_row, first_col).
using AdjointBlock = std::function<void(Index first_row, Index first_col, MatrixOut out)>;

// ∂L/∂(log parameters) from K̄ = ∂L/∂K, in the order of parameter_names(covariance).  Tiles of K̄
// are asked for once each, lower triangle only; memory is a few tiles per thread.
[[nodiscard]] Vector pullback(const Covariance& covariance, const Matrix& X,
                              const AdjointBlock& K_bar, Threads threads = {});

}  // namespace candor
