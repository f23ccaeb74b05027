// SPDX-License-Identifier: MIT
// Each wrapper against Eigen, on blocks of larger matrices so that strides count, and with NaN in
// every place that must not be read.
#include <candor/linalg/blas.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <array>
#include <limits>
#include <utility>

namespace candor::blas {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array ops{Op::none, Op::transpose};

Matrix apply(Op op, const Matrix& A) { return op == Op::none ? A : A.transpose(); }

// A rows×cols block in the middle of a larger matrix of NaN.
class Framed {
 public:
  explicit Framed(const Matrix& inside)
      : all_(Matrix::Constant(inside.rows() + 5, inside.cols() + 3, nan)),
        rows_(inside.rows()),
        cols_(inside.cols()) {
    block() = inside;
  }
  Eigen::Block<Matrix> block() { return all_.block(2, 1, rows_, cols_); }
  bool frame_is_untouched() {
    Matrix copy = all_;
    copy.block(2, 1, rows_, cols_).setConstant(nan);
    return copy.array().isNaN().all();
  }

 private:
  Matrix all_;
  Index rows_, cols_;
};

Matrix lower_triangle(Index n) {
  Matrix L = Matrix::Random(n, n) + 3.0 * Matrix::Identity(n, n);
  L.triangularView<Eigen::StrictlyUpper>().setConstant(nan);
  return L;
}

Matrix dense(const Matrix& L) { return L.triangularView<Eigen::Lower>(); }

Matrix positive_definite(Index n) {
  const Matrix X = Matrix::Random(n, n);
  Matrix A = X * X.transpose() + Matrix::Identity(n, n);
  A.triangularView<Eigen::StrictlyUpper>().setConstant(nan);
  return A;
}

// Sums of at most 40 products of entries below 10: rounding stays far below this.
constexpr double tolerance = 1e-12;

void expect_near(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  if (actual.size() == 0) return;
  EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), tolerance * (1.0 + expected.norm()));
}

void expect_lower_near(const Matrix& actual, const Matrix& expected) {
  expect_near(dense(actual), dense(expected));
  for (Index j = 1; j < actual.cols(); ++j)
    EXPECT_TRUE(actual.col(j).head(j).array().isNaN().all()) << "strict upper triangle written";
}

TEST(Blas, GemmMultipliesBlocks) {
  for (const Op op_a : ops)
    for (const Op op_b : ops) {
      const Matrix A = Matrix::Random(7, 40), B = Matrix::Random(40, 9), C = Matrix::Random(7, 9);
      Framed a(apply(op_a, A)), b(apply(op_b, B)), c(C);
      gemm(-0.5, a.block(), op_a, b.block(), op_b, 2.0, c.block());
      expect_near(c.block(), -0.5 * A * B + 2.0 * C);
      EXPECT_TRUE(c.frame_is_untouched());
    }
}

TEST(Blas, GemmWithBetaZeroForgetsWhatWasThere) {
  const Matrix A = Matrix::Random(3, 3);
  Matrix C = Matrix::Constant(3, 3, nan);
  gemm(1.0, A, Op::none, A, Op::none, 0.0, C);
  expect_near(C, A * A);
}

TEST(Blas, GemmAcceptsEmptyMatrices) {
  Matrix C = Matrix::Ones(2, 3);
  gemm(1.0, Matrix(2, 0), Op::none, Matrix(0, 3), Op::none, 0.5, C);
  expect_near(C, Matrix::Constant(2, 3, 0.5));
  Matrix none(0, 3);
  gemm(1.0, Matrix(0, 2), Op::none, Matrix(2, 3), Op::none, 0.0, none);
}

TEST(Blas, SyrkUpdatesTheLowerTriangle) {
  for (const Op op : ops) {
    const Matrix A = Matrix::Random(11, 40);
    const Matrix C = lower_triangle(11);
    Framed a(apply(op, A)), c(C);
    syrk(-0.5, a.block(), op, 2.0, c.block());
    expect_lower_near(c.block(), -0.5 * A * A.transpose() + 2.0 * C);
    EXPECT_TRUE(c.frame_is_untouched());
  }
}

TEST(Blas, TrsmAndTrmmAgreeWithDenseProducts) {
  for (const Op op : ops)
    for (const Side side : {Side::left, Side::right}) {
      const Matrix L = lower_triangle(12), T = apply(op, dense(L));
      const Matrix B = side == Side::left ? Matrix::Random(12, 5) : Matrix::Random(5, 12);
      Framed l(L), product(B), solution(B);
      trmm(side, 2.0, l.block(), op, product.block());
      expect_near(product.block(), 2.0 * (side == Side::left ? T * B : B * T));
      trsm(side, 2.0, l.block(), op, solution.block());
      const Matrix X = solution.block();
      expect_near(side == Side::left ? T * X : X * T, 2.0 * B);
      EXPECT_TRUE(product.frame_is_untouched() && solution.frame_is_untouched());
    }
}

TEST(Blas, PotrfFactorsTheLowerTriangle) {
  const Matrix A = positive_definite(17);
  Framed a(A);
  ASSERT_TRUE(potrf(a.block()));
  const Matrix L = dense(a.block());
  expect_lower_near(a.block(), L);
  expect_near(dense(L * L.transpose()), dense(A));
  EXPECT_TRUE(a.frame_is_untouched());
}

TEST(Blas, PotrfSaysNoToWhatIsNotPositiveDefinite) {
  for (const double bad : {-1.0, 0.0, nan, std::numeric_limits<double>::infinity()}) {
    Matrix A = Matrix::Identity(6, 6);
    A(4, 4) = bad;
    EXPECT_FALSE(potrf(A)) << bad;
  }
  Matrix A = Matrix::Identity(6, 6);
  A(5, 2) = nan;
  EXPECT_FALSE(potrf(A));
}

TEST(Blas, TrtriInvertsAndLauumSquares) {
  const Matrix L = lower_triangle(14);
  Framed inverse(L), gram(L);
  trtri(inverse.block());
  expect_lower_near(inverse.block(), dense(L).inverse());
  lauum(gram.block());
  expect_lower_near(gram.block(), dense(L).transpose() * dense(L));
  EXPECT_TRUE(inverse.frame_is_untouched() && gram.frame_is_untouched());
}

TEST(Blas, TrtriThrowsOnAZeroDiagonal) {
  Matrix L = Matrix::Identity(4, 4);
  L(2, 2) = 0.0;
  EXPECT_THROW(trtri(L), NumericalError);
}

TEST(Blas, VectorProductsAgreeWithDenseOnes) {
  const Matrix K = lower_triangle(9);
  const Vector x = Vector::Random(9);
  expect_near(symv(Framed(K).block(), x), Matrix(K.selfadjointView<Eigen::Lower>()) * x);
  for (const Op op : ops) {
    expect_near(trmv(Framed(K).block(), op, x), apply(op, dense(K)) * x);
    const Matrix A = Matrix::Random(4, 9);
    expect_near(gemv(Framed(apply(op, A)).block(), op, x), A * x);
  }
}

TEST(Blas, AcceptsMatricesWithoutEntries) {
  Matrix none(0, 0), B(0, 4);
  const Vector empty;
  EXPECT_TRUE(potrf(none));
  trtri(none);
  lauum(none);
  syrk(1.0, Matrix(0, 4), Op::none, 0.0, none);
  trsm(Side::left, 1.0, none, Op::none, B);
  trmm(Side::left, 1.0, none, Op::transpose, B);
  EXPECT_EQ(symv(none, empty).size(), 0);
  EXPECT_EQ(trmv(none, Op::none, empty).size(), 0);
  EXPECT_EQ(gemv(Matrix(3, 0), Op::none, empty), Vector::Zero(3));
}

}  // namespace
}  // namespace candor::blas
