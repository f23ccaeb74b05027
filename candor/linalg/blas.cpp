// SPDX-License-Identifier: MIT
#include <candor/linalg/blas.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/openblas.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

namespace candor::blas {
namespace {

constexpr char lower = 'L';
constexpr char not_unit = 'N';
constexpr int step = 1;

const char* letter(Op op) { return op == Op::none ? "N" : "T"; }
const char* letter(Side side) { return side == Side::left ? "L" : "R"; }

int to_int(Index size) {
  if (size > std::numeric_limits<int>::max())
    throw InvalidInput("matrix dimension is " + std::to_string(size) +
                       ": it must be less than 2^31");
  return static_cast<int>(size);
}

// BLAS wants a leading dimension of at least max(1, rows) even where no column follows.
template <class M>
int leading(const M& A) {
  return to_int(std::max<Index>({A.outerStride(), A.rows(), 1}));
}

Index rows_of(const MatrixRef& A, Op op) { return op == Op::none ? A.rows() : A.cols(); }
Index cols_of(const MatrixRef& A, Op op) { return op == Op::none ? A.cols() : A.rows(); }

void triangular(OpenBlas::Triangular* OpenBlas::*routine, Side side, double alpha,
                const MatrixRef& L, Op op, MatrixOut B) {
  assert(L.rows() == L.cols() && L.rows() == (side == Side::left ? B.rows() : B.cols()));
  if (B.size() == 0) return;
  const int m = to_int(B.rows()), n = to_int(B.cols()), ld_l = leading(L), ld_b = leading(B);
  const Call call;
  ((*call).*routine)(letter(side), &lower, letter(op), &not_unit, &m, &n, &alpha, L.data(), &ld_l,
                     B.data(), &ld_b);
}

}  // namespace

void gemm(double alpha, const MatrixRef& A, Op op_a, const MatrixRef& B, Op op_b, double beta,
          MatrixOut C) {
  assert(rows_of(A, op_a) == C.rows() && cols_of(B, op_b) == C.cols());
  assert(cols_of(A, op_a) == rows_of(B, op_b));
  if (C.size() == 0) return;
  const int m = to_int(C.rows()), n = to_int(C.cols()), k = to_int(cols_of(A, op_a));
  const int ld_a = leading(A), ld_b = leading(B), ld_c = leading(C);
  Call()->gemm(letter(op_a), letter(op_b), &m, &n, &k, &alpha, A.data(), &ld_a, B.data(), &ld_b,
               &beta, C.data(), &ld_c);
}

void syrk(double alpha, const MatrixRef& A, Op op, double beta, MatrixOut C) {
  assert(C.rows() == C.cols() && rows_of(A, op) == C.rows());
  if (C.size() == 0) return;
  const int n = to_int(C.rows()), k = to_int(cols_of(A, op));
  const int ld_a = leading(A), ld_c = leading(C);
  Call()->syrk(&lower, letter(op), &n, &k, &alpha, A.data(), &ld_a, &beta, C.data(), &ld_c);
}

void trsm(Side side, double alpha, const MatrixRef& L, Op op, MatrixOut B) {
  triangular(&OpenBlas::trsm, side, alpha, L, op, B);
}

void trmm(Side side, double alpha, const MatrixRef& L, Op op, MatrixOut B) {
  triangular(&OpenBlas::trmm, side, alpha, L, op, B);
}

bool potrf(MatrixOut A) {
  assert(A.rows() == A.cols());
  if (A.size() == 0) return true;
  const int n = to_int(A.rows()), ld = leading(A);
  int info = 0;
  Call()->potrf(&lower, &n, A.data(), &ld, &info);
  // Pivots are tested with ≤ 0 in some kernels, which a NaN passes.
  return info == 0 && A.diagonal().allFinite();
}

void trtri(MatrixOut L) {
  assert(L.rows() == L.cols());
  if (L.size() == 0) return;
  const int n = to_int(L.rows()), ld = leading(L);
  int info = 0;
  Call()->trtri(&lower, &not_unit, &n, L.data(), &ld, &info);
  if (info != 0)
    throw NumericalError("triangular matrix has a zero at diagonal entry " +
                         std::to_string(info - 1) + ": it has no inverse");
}

void lauum(MatrixOut L) {
  assert(L.rows() == L.cols());
  if (L.size() == 0) return;
  const int n = to_int(L.rows()), ld = leading(L);
  int info = 0;
  Call()->lauum(&lower, &n, L.data(), &ld, &info);
}

Vector symv(const MatrixRef& K, const VectorRef& x) {
  assert(K.rows() == K.cols() && K.cols() == x.size());
  Vector y = Vector::Zero(x.size());
  if (x.size() == 0) return y;
  const int n = to_int(x.size()), ld = leading(K);
  const double one = 1.0, zero = 0.0;
  Call()->symv(&lower, &n, &one, K.data(), &ld, x.data(), &step, &zero, y.data(), &step);
  return y;
}

Vector trmv(const MatrixRef& L, Op op, const VectorRef& x) {
  assert(L.rows() == L.cols() && L.cols() == x.size());
  Vector y = x;
  if (x.size() == 0) return y;
  const int n = to_int(x.size()), ld = leading(L);
  Call()->trmv(&lower, letter(op), &not_unit, &n, L.data(), &ld, y.data(), &step);
  return y;
}

Vector gemv(const MatrixRef& A, Op op, const VectorRef& x) {
  assert(cols_of(A, op) == x.size());
  Vector y = Vector::Zero(rows_of(A, op));
  if (A.size() == 0) return y;
  const int m = to_int(A.rows()), n = to_int(A.cols()), ld = leading(A);
  const double one = 1.0, zero = 0.0;
  Call()->gemv(letter(op), &m, &n, &one, A.data(), &ld, x.data(), &step, &zero, y.data(), &step);
  return y;
}

bool has_slow_trsm() { return Call()->has_slow_trsm; }

std::string description() { return Call()->description; }

}  // namespace candor::blas
