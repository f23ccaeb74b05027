// SPDX-License-Identifier: MIT
// Laws of the factorisations and of solves, at the sizes where their recursions change shape, with NaN in
// the strict upper triangle: whatever reads it fails the law, whatever writes it is seen.
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <array>
#include <functional>
#include <limits>

namespace candor {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// 16 and 64 are leaves of the recursions, 288 is where threads begin, 384 a strip between halves.
constexpr std::array<Index, 22> sizes{0,   1,   2,   15,  16,  17,  31,  33,  63,  64,  65,
                                      127, 128, 129, 287, 288, 289, 383, 385, 579, 771, 1000};

Matrix with_nan_above(Matrix A) {
  A.triangularView<Eigen::StrictlyUpper>().setConstant(nan);
  return A;
}

Matrix lower(const Matrix& A) { return A.triangularView<Eigen::Lower>(); }

bool nan_above(const Matrix& A) {
  for (Index j = 1; j < A.cols(); ++j)
    if (!A.col(j).head(j).array().isNaN().all()) return false;
  return true;
}

using blas::Op;

// By the BLAS, which blas_test.cpp compares with Eigen: Eigen itself takes minutes in a debug
// build.
Matrix product(const Matrix& A, Op op_a, const Matrix& B, Op op_b) {
  Matrix C(op_a == Op::none ? A.rows() : A.cols(), op_b == Op::none ? B.cols() : B.rows());
  blas::gemm(1.0, A, op_a, B, op_b, 0.0, C);
  return C;
}

// Eigenvalues between 1 and about 5, so errors below are rounding alone.
Matrix positive_definite(Index n) {
  const Matrix X = Matrix::Random(n, n);
  Matrix A = Matrix::Identity(n, n);
  if (n > 0) A += 3.0 / static_cast<double>(n) * product(X, Op::none, X, Op::transpose);
  return A;
}

Matrix factor_of(Matrix A) {
  EXPECT_TRUE(blas::potrf(A));
  return lower(A);
}

// Backward errors of these algorithms are bounded by about n eps; seen are a few eps.
double tolerance(Index n) {
  return (1.0 + static_cast<double>(n)) * std::numeric_limits<double>::epsilon();
}

double distance(const Matrix& A, const Matrix& B) {
  return A.size() == 0 ? 0.0 : (A - B).norm() / B.norm();
}

using InPlace = std::function<void(MatrixOut, Threads)>;
void factor(MatrixOut A, Threads threads) { ASSERT_TRUE(cholesky_in_place(A, threads)); }

bool is_a_cholesky(const InPlace& f, Index n) {
  const Matrix A = positive_definite(n);
  Matrix L = with_nan_above(A);
  f(L, {2});
  return nan_above(L) &&
         distance(product(lower(L), Op::none, lower(L), Op::transpose), A) <= tolerance(n);
}

bool is_an_inverse(const InPlace& f, Index n) {
  const Matrix L = factor_of(positive_definite(n));
  Matrix M = with_nan_above(L);
  f(M, {2});
  return nan_above(M) &&
         distance(product(L, Op::none, lower(M), Op::none), Matrix::Identity(n, n)) <= tolerance(n);
}

bool is_a_gram(const InPlace& f, Index n) {
  const Matrix L = factor_of(positive_definite(n));
  Matrix G = with_nan_above(L);
  f(G, {2});
  return nan_above(G) &&
         distance(lower(G), lower(product(L, Op::transpose, L, Op::none))) <= tolerance(n);
}

using Solve = std::function<void(const MatrixRef&, Op, MatrixOut)>;

bool is_a_solve(const Solve& f, Index n, Index columns, Op op) {
  const Matrix L = factor_of(positive_definite(n));
  const Matrix B = Matrix::Random(n, columns);
  Matrix X = B;
  f(with_nan_above(L), op, X);
  return distance(product(L, op, X, Op::none), B) <= tolerance(n);
}

TEST(Cholesky, GivesBackTheMatrix) {
  for (const Index n : sizes) EXPECT_TRUE(is_a_cholesky(factor, n)) << n;
}

TEST(Cholesky, AgreesWithEigen) {
  for (const Index n : {0, 1, 2, 17, 97, 289}) {
    Matrix L = positive_definite(n);
    const Matrix expected = L.llt().matrixL();
    factor(L, {1});
    EXPECT_LE(distance(lower(L), expected), 10.0 * tolerance(n)) << n;  // times its condition, < 5
  }
}

TEST(InvertLower, GivesTheIdentity) {
  for (const Index n : sizes) EXPECT_TRUE(is_an_inverse(invert_lower_in_place, n)) << n;
}

TEST(GramOfLower, IsTheProduct) {
  for (const Index n : sizes) EXPECT_TRUE(is_a_gram(gram_of_lower_in_place, n)) << n;
}

TEST(SolveLower, IsUndoneByTheProduct) {
  for (const Index n : sizes) {
    for (const Index columns : {1, 5, 64, 200}) {  // few by trsm, many by products
      EXPECT_TRUE(is_a_solve(solve_lower_in_place, n, columns, Op::none)) << n << ' ' << columns;
      EXPECT_TRUE(is_a_solve(solve_lower_in_place, n, columns, Op::transpose))
          << n << ' ' << columns;
    }
  }
}

// Mutants: each law must notice an algorithm that is wrong in one entry, or writes above the
// diagonal.
InPlace spoilt(const InPlace& right) {
  return [right](MatrixOut A, Threads threads) {
    right(A, threads);
    A(A.rows() - 1, 0) += 1e-9;
  };
}
InPlace overwriting(const InPlace& right) {
  return [right](MatrixOut A, Threads threads) {
    right(A, threads);
    A(0, A.cols() - 1) = 0.0;
  };
}

TEST(FactorisationLaws, DetectMutants) {
  for (const auto& mutation : {spoilt, overwriting}) {
    EXPECT_FALSE(is_a_cholesky(mutation(factor), 97));
    EXPECT_FALSE(is_an_inverse(mutation(invert_lower_in_place), 97));
    EXPECT_FALSE(is_a_gram(mutation(gram_of_lower_in_place), 97));
  }
  const Solve spoilt_solve = [](const MatrixRef& L, Op op, MatrixOut B) {
    solve_lower_in_place(L, op, B);
    B(B.rows() - 1, 0) += 1e-9;
  };
  EXPECT_FALSE(is_a_solve(spoilt_solve, 97, 64, Op::none));
}

TEST(Factorisations, GiveTheSameBitsAtAnyThreadCount) {
  for (const Index n : {97, 289, 771, 1000}) {
    const Matrix A = positive_definite(n);
    for (const InPlace& f :
         {InPlace(factor), InPlace(invert_lower_in_place), InPlace(gram_of_lower_in_place)}) {
      Matrix one = lower(A);
      f(one, {1});
      for (const int threads : {2, 5}) {
        Matrix several = lower(A);
        f(several, {threads});
        EXPECT_TRUE(several == one) << n << " with " << threads << " threads";
      }
    }
  }
}

TEST(Factorisations, WorkOnABlockWithoutTouchingItsSurroundings) {
  const Index n = 300;
  const Matrix A = positive_definite(n);
  Matrix all = Matrix::Constant(n + 7, n + 4, nan);
  auto block = all.block(3, 2, n, n);
  block = with_nan_above(A);
  factor(block, {2});
  invert_lower_in_place(block, {2});
  gram_of_lower_in_place(block, {2});
  const Matrix result = block;
  EXPECT_TRUE(nan_above(result));
  // Conditioning below 5 multiplies the backward errors of three steps.
  EXPECT_LE(distance(lower(result), lower(A.inverse())), 30.0 * tolerance(n));
  block.setConstant(nan);
  EXPECT_TRUE(all.array().isNaN().all());
}

TEST(Cholesky, SaysNoWhereverAPivotFails) {
  const Index n = 700;
  for (const Index i : {0, 1, 95, 96, 191, 192, 350, 351, 383, 384, 500, 699})
    for (const double bad : {-1.0, 0.0, nan, std::numeric_limits<double>::infinity()}) {
      Matrix A = Matrix::Identity(n, n);
      A(i, i) = bad;
      EXPECT_FALSE(cholesky_in_place(A, {2})) << bad << " at " << i;
    }
}

TEST(Cholesky, SaysNoToNanBelowTheDiagonal) {
  for (const Index n : {2, 97, 700}) {
    Matrix A = Matrix::Identity(n, n);
    A(n - 1, 0) = nan;
    EXPECT_FALSE(cholesky_in_place(A, {2})) << n;
  }
}

TEST(InvertLower, ThrowsOnAZeroDiagonal) {
  for (const Index n : {1, 20, 700}) {
    Matrix L = Matrix::Identity(n, n);
    L(n - 1, n - 1) = 0.0;
    EXPECT_THROW(invert_lower_in_place(L, {2}), NumericalError) << n;
  }
}

TEST(JitteredCholesky, AddsNothingToAPositiveDefiniteMatrix) {
  for (const Index n : {0, 1, 50, 300}) {
    const Matrix A = positive_definite(n);
    const auto [L, jitter] = jittered_cholesky(with_nan_above(A), {2});
    EXPECT_EQ(jitter, 0.0);
    EXPECT_EQ(L, lower(L)) << "strict upper triangle is not zero";
    EXPECT_LE(distance(product(L, Op::none, L, Op::transpose), A), tolerance(n));
  }
}

TEST(JitteredCholesky, ReportsWhatASingularGramMatrixNeeded) {
  const Index n = 120;
  for (const double variance : {1e-8, 1.0, 1e8}) {
    const Matrix A = Matrix::Constant(n, n, variance);  // rank 1
    const auto [L, jitter] = jittered_cholesky(A);
    EXPECT_GT(jitter, 0.0);
    EXPECT_LE(jitter, 1e-8);
    const Matrix jittered = A + jitter * variance * Matrix::Identity(n, n);
    EXPECT_LE(distance(L * L.transpose(), jittered), tolerance(n));
  }
}

TEST(JitteredCholesky, TakesTheSmallestJitterThatWorks) {
  Matrix A = Matrix::Identity(4, 4);
  A(2, 2) = -3e-11;  // mean diagonal 3/4, so 1e-11 is too little and 1e-10 is enough
  EXPECT_EQ(jittered_cholesky(A).jitter, 1e-10);
}

TEST(JitteredCholesky, ThrowsWhenNothingHelps) {
  const Matrix I = Matrix::Identity(5, 5);
  EXPECT_THROW((void)jittered_cholesky(-I), NumericalError);
  EXPECT_THROW((void)jittered_cholesky(Matrix::Zero(5, 5)), NumericalError);
  EXPECT_THROW((void)jittered_cholesky(nan * I), NumericalError);
}

}  // namespace
}  // namespace candor
