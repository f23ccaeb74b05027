// SPDX-License-Identifier: MIT
// The BLAS-3 and BLAS-2 routines Candor needs, on Eigen blocks, single-threaded, with the widest
// kernels the CPU has (docs/decisions).  Threads are added above this level, by tiles.
#pragma once

#include <candor/linalg/types.hpp>

#include <string>

namespace candor::blas {

enum class Op { none, transpose };
enum class Side { left, right };

// C ← alpha op(A) op(B) + beta C
void gemm(double alpha, const MatrixRef& A, Op op_a, const MatrixRef& B, Op op_b, double beta,
          MatrixOut C);
// Lower triangle of C ← alpha op(A) op(A)ᵀ + beta C
void syrk(double alpha, const MatrixRef& A, Op op, double beta, MatrixOut C);
// B ← alpha op(L)⁻¹ B  or  alpha B op(L)⁻¹, with L lower triangular
void trsm(Side side, double alpha, const MatrixRef& L, Op op, MatrixOut B);
// B ← alpha op(L) B  or  alpha B op(L), with L lower triangular
void trmm(Side side, double alpha, const MatrixRef& L, Op op, MatrixOut B);
// Lower Cholesky factor in place of the lower triangle; false when A is not positive definite.
[[nodiscard]] bool potrf(MatrixOut A);
// Inverse of a lower triangle, in place.
void trtri(MatrixOut L);
// Lower triangle of LᵀL, in place of L.
void lauum(MatrixOut L);
// K x for symmetric K of which only the lower triangle is read.
[[nodiscard]] Vector symv(const MatrixRef& K, const VectorRef& x);
// op(L) x with L lower triangular.
[[nodiscard]] Vector trmv(const MatrixRef& L, Op op, const VectorRef& x);
// op(A) x
[[nodiscard]] Vector gemv(const MatrixRef& A, Op op, const VectorRef& x);

// Whether trsm runs at a quarter of the speed of gemm, and trmm at three quarters, as on AVX-512.
[[nodiscard]] bool has_slow_trsm();
// What is in use, for reports: "OpenBLAS 0.3.21, SkylakeX kernels".
[[nodiscard]] std::string description();

}  // namespace candor::blas
