// SPDX-License-Identifier: MIT
// Draws from the prior.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/gram.hpp>
#include <candor/covariance/prior.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor::testing_support {
namespace {

constexpr std::uint64_t seed = 41;
constexpr Index draws = 40000;
const Covariance covariance = 2.0 * Covariance(SquaredExponential{}) + Covariance(Noise{0.5});

// The largest of |C_ij - K_ij| in units of its standard error: an entry of the sample covariance of
// N normal draws has variance (K_ii K_jj + K_ij²)/N.
double largest_z(const Matrix& values, const Matrix& K) {
  const auto count = static_cast<double>(values.cols());
  const Matrix C = values * values.transpose() / count;
  double largest = 0.0;
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < K.cols(); ++j) {
      const double se = std::sqrt((K(i, i) * K(j, j) + K(i, j) * K(i, j)) / count);
      largest = std::max(largest, std::abs(C(i, j) - K(i, j)) / se);
    }
  }
  return largest;
}

class PriorDrawsOfATable : public testing::Test {
 protected:
  const Matrix X = table(7, narrow, seed);
  Matrix K = Matrix(7, 7);
  PriorDrawsOfATable() { Gram(covariance, X).block(0, 0, K); }
};

TEST_F(PriorDrawsOfATable, HaveTheRightCovariance) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  // 28 entries: 5 standard errors are exceeded by chance once in 60000 seeds.
  EXPECT_LT(largest_z(draw_from_prior(covariance, X, draws, seed).values, K), 5.0);
}

TEST_F(PriorDrawsOfATable, AreCaughtWhenTheirVarianceIsTenPercentOff) {
  const Matrix mutant = std::sqrt(1.1) * draw_from_prior(covariance, X, draws, seed).values;
  EXPECT_GT(largest_z(mutant, K), 5.0);
}

TEST_F(PriorDrawsOfATable, AreTheSameForTheSameSeed) {
  const Matrix once = draw_from_prior(covariance, X, 3, seed).values;
  EXPECT_EQ(once, draw_from_prior(covariance, X, 3, seed).values);
  EXPECT_NE(once, draw_from_prior(covariance, X, 3, seed + 1).values);
}

TEST_F(PriorDrawsOfATable, ReportTheJitterOfASingularCovariance) {
  const PriorDraws singular = draw_from_prior(Constant{1.0}, X, 2, seed);
  EXPECT_GT(singular.jitter, 0.0);
  EXPECT_TRUE(singular.values.allFinite());
  EXPECT_EQ(draw_from_prior(covariance, X, 2, seed).jitter, 0.0);
}

TEST_F(PriorDrawsOfATable, MayBeNoneButNotFewer) {
  EXPECT_EQ(draw_from_prior(covariance, X, 0, seed).values.cols(), 0);
  EXPECT_THROW(static_cast<void>(draw_from_prior(covariance, X, -1, seed)), InvalidInput);
}

}  // namespace
}  // namespace candor::testing_support
