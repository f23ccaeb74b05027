// SPDX-License-Identifier: MIT
// The compiled loops against their definitions.
#include <candor/covariance/elementwise.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

TEST(ExpDecay, IsGoodToOneUnitInTheLastPlace) {
  constexpr Index count = 100003;  // not a multiple of any vector width
  Matrix distances(count, 1), values(count, 1);
  for (Index i = 0; i < count; ++i) {
    distances(i, 0) = 708.0 * std::pow(static_cast<double>(i) / count, 4.0);
  }
  exp_decay(-1.0, distances, values);
  for (Index i = 0; i < count; ++i) {
    const long double exact = std::exp(-static_cast<long double>(distances(i, 0)));
    ASSERT_LE(std::abs(static_cast<double>(values(i, 0) / exact - 1.0L)),
              std::numeric_limits<double>::epsilon())
        << distances(i, 0);
  }
}

TEST(ExpDecay, IsExactlyOneAtZeroAndTinyFarAway) {
  Matrix values{{0.0, -0.0, 709.0, 1e300, std::numeric_limits<double>::infinity()}};
  exp_decay(-1.0, values, values);
  EXPECT_EQ(values(0, 0), 1.0);
  EXPECT_EQ(values(0, 1), 1.0);
  for (Index i = 2; i < values.cols(); ++i) EXPECT_LT(values(0, i), 1e-307);
}

TEST(WeightedExpDecay, IsTheProductOfItsThreeFactors) {
  const Matrix distances = Matrix::Random(13, 3).cwiseAbs(), weights = Matrix::Random(13, 3);
  Matrix decay(13, 3), values(13, 3);
  exp_decay(-0.5, distances, decay);
  const Vector sums = weighted_exp_decay(-0.5, distances, -2.0, weights, values);
  EXPECT_TRUE(values.isApprox(-2.0 * weights.cwiseProduct(decay), 1e-15));
  EXPECT_TRUE(sums.isApprox(values.colwise().sum().transpose(), 1e-14));
}

TEST(AddSquaredDifferences, AddsToWhatIsThere) {
  const Vector x = Vector::LinSpaced(13, -1.0, 2.0);
  Vector sums = Vector::Constant(13, 5.0);
  add_squared_differences(x, 0.3, 2.0, sums);
  for (Index i = 0; i < x.size(); ++i) {
    EXPECT_DOUBLE_EQ(sums[i], 5.0 + 4.0 * (x[i] - 0.3) * (x[i] - 0.3));
  }
}

}  // namespace
}  // namespace candor
