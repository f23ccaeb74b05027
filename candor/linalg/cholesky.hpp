// SPDX-License-Identifier: MIT
// Cholesky factors and triangular inverses by blocks, on several threads: the same bits at any
// number.
#pragma once

#include <candor/linalg/blas.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

// A = L Lᵀ in place: reads and writes the lower triangle only.  False (and A is spoilt) when A is
// not positive definite to working precision.
[[nodiscard]] bool cholesky_in_place(MatrixOut A, Threads threads = {});

// L⁻¹ in place of a lower triangle; the strict upper triangle is neither read nor written.  Throws
// NumericalError when a diagonal entry is 0.
void invert_lower_in_place(MatrixOut L, Threads threads = {});

// B ← op(L)⁻¹ B for any number of columns, one too; the strict upper triangle of L is not read.  On
// one thread: callers cut B into blocks of columns.
void solve_lower_in_place(const MatrixRef& L, blas::Op op, MatrixOut B);

// Lower triangle of MᵀM in place of the lower-triangular M.
void gram_of_lower_in_place(MatrixOut M, Threads threads = {});

// The factor of A + jitter·mean(diag A)·I for the smallest jitter of 0, 1e-14, 1e-13, … 1e-8 that
// works.
struct JitteredCholesky {
  Matrix L;       // strict upper triangle is zero
  double jitter;  // relative; 0 when A itself was positive definite
};
// Throws NumericalError when even the largest jitter does not help.
[[nodiscard]] JitteredCholesky jittered_cholesky(const MatrixRef& A, Threads threads = {});

}  // namespace candor
