// SPDX-License-Identifier: MIT
// The training covariance by blocks, and its adjoint by tiles.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/gram.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <mutex>
#include <set>

namespace candor::testing_support {
namespace {

static_assert(YieldsBlocks<Gram>);

const Covariance covariance = 2.0 * Covariance(SquaredExponential{own_lengthscales(narrow), {2}}) +
                              Covariance(Matern{0.5, Vector::Ones(1), {}}) + Covariance(Noise{0.3});

// Cells on both sides of the tiles' edges are not known.
Matrix gappy_table(Index rows, std::uint64_t seed) {
  Matrix X = table(rows, narrow, seed);
  for (const Index i : {0, 1, 127, 128, 191, 192, 250, 450}) {  // a tile with such rows in X only
    if (i < rows) X(i, i % 2) = std::numeric_limits<double>::quiet_NaN();
  }
  return X;
}

TEST(Gram, GivesTheSameEntriesWhateverTheBlock) {
  const Index n = 300;  // more than two tiles of the evaluation
  const Matrix X = gappy_table(n, 17);
  const Gram gram(covariance, X);
  Matrix K(n, n);
  gram.block(0, 0, K);
  // Vectorised and scalar exponentials differ in their last bits.
  constexpr double rounding = 1e-14;
  for (const Index first : {0, 1, 127, 128, 200}) {
    Matrix block(90, 70);
    gram.block(first, 100, block);
    EXPECT_TRUE(block.isApprox(K.block(first, 100, 90, 70), rounding));
  }
  EXPECT_TRUE(K.isApprox(K.transpose(), rounding));
  EXPECT_EQ(gram.size(), n);
}

class PullbackByTiles : public testing::Test {
 protected:
  const Index n = 600;  // three rows of tiles
  const Matrix X = gappy_table(n, 18);
  const Matrix K_bar = symmetric_table(n, 19);
  Vector by_tiles(Threads threads) const {
    return pullback(
        covariance, X,
        [&](Index i, Index j, MatrixOut out) { out = K_bar.block(i, j, out.rows(), out.cols()); },
        threads);
  }
};

TEST_F(PullbackByTiles, AgreesWithOneTile) {
  Vector whole(log_parameter_count(covariance));
  static_cast<void>(covariance.pullback({.X = X, .Z = X, .same_table = true}, K_bar, whole));
  // Both are sums of n² = 360000 terms of either sign; rounding grows with the sum of their sizes.
  EXPECT_LT((by_tiles({1}) - whole).cwiseAbs().maxCoeff(), 1e-13 * K_bar.cwiseAbs().sum());
}

TEST_F(PullbackByTiles, IsTheSameToTheLastBitAtAnyNumberOfThreads) {
  const Vector one = by_tiles({1});
  EXPECT_EQ(one, by_tiles({2}));
  EXPECT_EQ(one, by_tiles({5}));
}

TEST_F(PullbackByTiles, AsksForEveryTileOfTheLowerTriangleOnce) {
  std::mutex guard;
  std::multiset<std::pair<Index, Index>> entries;
  Index covered = 0;
  static_cast<void>(pullback(covariance, X, [&](Index i, Index j, MatrixOut out) {
    const std::lock_guard lock(guard);
    entries.insert({i, j});
    covered += i == j ? out.rows() * (out.rows() + 1) / 2 : out.size();
    EXPECT_GE(i, j);
    out.setZero();
  }));
  EXPECT_EQ(covered, n * (n + 1) / 2);
  EXPECT_EQ(std::set(entries.begin(), entries.end()).size(), entries.size());
}

TEST(Cross, IsTheSameToTheLastBitAtAnyNumberOfThreads) {
  const Matrix X = table(300, narrow, 20);
  const Matrix Z = table(200, narrow, 21);
  EXPECT_EQ(cross(covariance, X, Z, {1}), cross(covariance, X, Z, {3}));
}

TEST(Cross, AllowsNoRows) {
  EXPECT_EQ(cross(covariance, table(4, narrow, 1), Matrix(0, narrow)).cols(), 0);
}

TEST(Gram, RefusesTablesItCannotEvaluate) {
  Matrix X = table(5, narrow, 22);
  EXPECT_THROW(Gram(covariance, Matrix(0, narrow)), InvalidInput);
  EXPECT_THROW(Gram(covariance, table(5, narrow + 1, 22)), InvalidInput);
  EXPECT_THROW(static_cast<void>(cross(covariance, X, table(5, narrow + 1, 22))), InvalidInput);
  X(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Gram(covariance, X), InvalidInput);
  EXPECT_THROW(static_cast<void>(prior_variance(covariance, X)), InvalidInput);
}

}  // namespace
}  // namespace candor::testing_support
