// SPDX-License-Identifier: MIT
// Distances must keep their digits where |x|² + |z|² - 2xᵀz loses them.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/distance.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace candor::testing_support {
namespace {

class ScaledDistanceOnTables : public testing::TestWithParam<Index> {
 protected:
  const Index columns = GetParam();
  const Vector lengthscale = own_lengthscales(columns);
  const std::vector<Index> discrete{2};

  Matrix distances(const Matrix& X) const {
    Matrix R2(X.rows(), X.rows());
    ScaledDistance({.X = X, .Z = X}, lengthscale, discrete).evaluate(R2);
    return R2;
  }

  Vector gradient_of(const Matrix& X, Matrix weights) const {
    const RowPairs pairs{.X = X, .Z = X};
    ScaledDistance distance(pairs, lengthscale, discrete);
    Matrix R2(X.rows(), X.rows());
    distance.evaluate(R2);
    Vector gradient(columns);
    distance.pullback(R2, weights, weights.colwise().sum(), gradient);
    return gradient;
  }

  // The definition, in extended precision.
  double exact(const Matrix& X, Index i, Index j) const {
    long double sum = 0.0L;
    for (Index c = 0; c < columns; ++c) {
      const long double difference = static_cast<long double>(X(i, c)) - X(j, c);
      const long double d = c == 2 ? (difference != 0.0L ? 1.0L : 0.0L) : difference * difference;
      sum += d / (static_cast<long double>(lengthscale[c]) * lengthscale[c]);
    }
    return static_cast<double>(sum);
  }

  // Where a product is used at most a factor 50 is lost (distance.cpp), over sums of `columns`
  // terms.
  double tolerance() const { return 50.0 * 2.3e-16 * static_cast<double>(columns); }
};

TEST_P(ScaledDistanceOnTables, CompareEveryColumnByEqualityWhereAllAreDiscrete) {
  const Matrix X = table(12, columns, 5);
  std::vector<Index> named;
  for (Index c = 0; c < columns; ++c) named.push_back(c);
  Matrix by_name(12, 12), all(12, 12);
  ScaledDistance({.X = X, .Z = X}, lengthscale, named).evaluate(by_name);
  ScaledDistance({.X = X, .Z = X}, lengthscale, {every_column}).evaluate(all);
  EXPECT_EQ(all, by_name);
}

TEST_P(ScaledDistanceOnTables, FollowTheDefinition) {
  const Matrix X = table(30, columns, 5);
  const Matrix R2 = distances(X);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) {
      EXPECT_NEAR(R2(i, j), exact(X, i, j), tolerance() * exact(X, i, j));
    }
  }
}

TEST_P(ScaledDistanceOnTables, AreExactlyZeroBetweenEqualRowsFarFromTheOrigin) {
  const Matrix X = table(30, columns, 5).array() + 1e6;
  const Matrix R2 = distances(X);
  for (Index i = 0; i < X.rows(); ++i) EXPECT_EQ(R2(i, i), 0.0);
  EXPECT_EQ(R2(1, 4), 0.0);
}

TEST_P(ScaledDistanceOnTables, KeepTheirDigitsBetweenNearDuplicates) {
  Matrix X = table(30, columns, 5);
  X.row(7) = X.row(8);
  X(7, 0) += 1e-9;
  const double expected = exact(X, 7, 8);
  EXPECT_NEAR(distances(X)(7, 8), expected, tolerance() * expected);
}

TEST_P(ScaledDistanceOnTables, StayFiniteForTheLargestInputs) {
  Matrix X = table(30, columns, 5);
  X.row(3) *= 1e300;
  X.row(9) *= -1e300;
  X.row(11) = 1.5 * X.row(3);  // equal to row 3 once both are bounded
  EXPECT_TRUE(distances(X).allFinite());
  Matrix R2(X.rows(), X.rows());
  ScaledDistance({.X = X, .Z = X}, lengthscale, {}).evaluate(R2);
  EXPECT_TRUE(R2.allFinite());
}

TEST_P(ScaledDistanceOnTables, AreZeroBetweenEqualRowsForTheSmallestLengthscale) {
  const Matrix X = table(30, columns, 5);
  const Vector tiny = Vector::Constant(1, std::numeric_limits<double>::denorm_min());
  Matrix R2(X.rows(), X.rows());
  ScaledDistance({.X = X, .Z = X}, tiny, discrete).evaluate(R2);
  EXPECT_TRUE(R2.allFinite());
  EXPECT_EQ(R2.diagonal().sum(), 0.0);
  EXPECT_EQ(R2(1, 4), 0.0);
}

// Squares of these differences overflow; their pairs have weight 0 and must leave no trace.
TEST_P(ScaledDistanceOnTables, LeaveNoTraceInTheGradientOfPairsThatAreInfinitelyFar) {
  const Matrix near = table(30, columns, 5);
  Matrix X = near;
  X.row(3) *= 1e300;
  X.row(9) = 1.5 * X.row(3);
  const Matrix R2 = distances(X);
  Matrix weights = (-0.5 * R2.array()).exp();
  Matrix others = weights;
  for (const Index far : {3, 9}) {
    EXPECT_EQ(weights.row(far).sum(), 1.0);  // its own entry alone
    others.row(far).setZero();
    others.col(far).setZero();
  }
  const double size = others.cwiseProduct(distances(near)).sum();
  const Vector gradient = gradient_of(X, weights), expected = gradient_of(near, others);
  for (Index c = 0; c < columns; ++c) {
    EXPECT_NEAR(gradient[c], expected[c], tolerance() * size) << "column " << c;
  }
}

TEST_P(ScaledDistanceOnTables, GiveEveryNearDuplicateItsShareOfTheGradient) {
  Matrix X = table(30, columns, 5);
  for (Index i = 15; i < 30; ++i) {
    X.row(i) = X.row(i - 15);
    X(i, 0) += 1e-8 * static_cast<double>(i);
  }
  // Weights like those of a Matérn covariance of smoothness ½: 1/r between near-duplicates.
  const Matrix R2 = distances(X);
  Matrix weights = R2.cwiseMax(1e-20).cwiseSqrt().cwiseInverse();
  Vector expected = Vector::Zero(columns);
  Vector size = Vector::Zero(columns);
  for (Index c = 0; c < columns; ++c) {
    if (c == 2) continue;
    for (Index i = 0; i < 30; ++i) {
      for (Index j = 0; j < 30; ++j) {
        const double u = (X(i, c) - X(j, c)) / lengthscale[c];
        expected[c] -= 2.0 * weights(i, j) * u * u;
        size[c] += weights(i, j) * R2(i, j);
      }
    }
  }
  const Vector gradient = gradient_of(X, weights);
  for (Index c = 0; c < columns; ++c) {
    if (c == 2) continue;
    EXPECT_NEAR(gradient[c], expected[c], tolerance() * size[c]) << "column " << c;
  }
}

INSTANTIATE_TEST_SUITE_P(NarrowAndWide, ScaledDistanceOnTables,
                         testing::Values(3, 5, 8, 9, 24, 70));

}  // namespace
}  // namespace candor::testing_support
