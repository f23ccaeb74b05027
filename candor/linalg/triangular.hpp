// SPDX-License-Identifier: MIT
// Products, solves and inverses with lower triangles on one thread, by halving the triangle until
// it is small: the halves meet in gemm, which runs at the full speed of the CPU where OpenBLAS's
// own trsm, trmm and trtri do not (docs/decisions/0002-blas-kernels.md).  Strict upper triangles
// are neither read nor written.
//
// Internal to linalg: callers outside use cholesky.hpp and blas.hpp.
#pragma once

#include <candor/linalg/blas.hpp>
#include <candor/linalg/types.hpp>

namespace candor::triangular {

// Where a triangle of this size is halved: a multiple of the leaf size, so that leaves are full.
[[nodiscard]] Index halfway(Index size);

// B ← op(L)⁻¹ B
void solve_left(const MatrixRef& L, blas::Op op, MatrixOut B);
// B ← B L⁻ᵀ
void solve_right_transposed(const MatrixRef& L, MatrixOut B);
// B ← -B L
void multiply_right_negated(const MatrixRef& L, MatrixOut B);
// B ← op(L) B
void multiply_left(const MatrixRef& L, blas::Op op, MatrixOut B);

// A = L Lᵀ in place; false when A is not positive definite.
[[nodiscard]] bool factor(MatrixOut A);
// L⁻¹ in place.  Throws NumericalError when a diagonal entry is 0.
void invert(MatrixOut L);

}  // namespace candor::triangular
