// SPDX-License-Identifier: MIT
// Single values that can be worked out by hand, and the algebra of sums and products.
#include "tests/covariance/zoo.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/gram.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor::testing_support {
namespace {

// One covariance is a handful of operations, each good to one unit in the last place.
constexpr double rounding = 1e-15;

double between(const Covariance& k, std::initializer_list<double> x,
               std::initializer_list<double> z) {
  Matrix X(1, static_cast<Index>(x.size()));
  Matrix Z(1, static_cast<Index>(z.size()));
  std::ranges::copy(x, X.data());
  std::ranges::copy(z, Z.data());
  return cross(k, X, Z)(0, 0);
}

// R² = (1/1)² + (1/2)² = 1.25
const Vector lengthscale{{1.0, 2.0}};

TEST(SquaredExponential, FollowsItsFormula) {
  EXPECT_NEAR(between(SquaredExponential{lengthscale}, {0, 1}, {1, 2}), std::exp(-0.625), rounding);
}

TEST(SquaredExponential, CountsADiscreteColumnAsOneWhereItDiffers) {
  const SquaredExponential k{lengthscale, {1}};
  EXPECT_NEAR(between(k, {0, 7}, {1, 3}), std::exp(-0.5 * (1.0 + 0.25)), rounding);
  EXPECT_NEAR(between(k, {0, 7}, {1, 7}), std::exp(-0.5), rounding);
}

TEST(RationalQuadratic, FollowsItsFormula) {
  EXPECT_NEAR(between(RationalQuadratic{0.8, lengthscale, {}}, {0, 1}, {1, 2}),
              std::pow(1.0 + 1.25 / 1.6, -0.8), rounding);
}

TEST(RationalQuadratic, TendsToTheSquaredExponential) {
  // The next term of the expansion in 1/a is R⁴/(8a) = 2e-13.
  EXPECT_NEAR(between(RationalQuadratic{1e12, lengthscale, {}}, {0, 1}, {1, 2}), std::exp(-0.625),
              1e-12);
}

TEST(Matern, FollowsItsClosedForms) {
  const double r = std::sqrt(1.25);
  const double u = std::sqrt(5.0) * r;
  EXPECT_NEAR(between(Matern{0.5, lengthscale, {}}, {0, 1}, {1, 2}), std::exp(-r), rounding);
  EXPECT_NEAR(between(Matern{1.5, lengthscale, {}}, {0, 1}, {1, 2}),
              (1.0 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r), rounding);
  EXPECT_NEAR(between(Matern{2.5, lengthscale, {}}, {0, 1}, {1, 2}),
              (1.0 + u + u * u / 3.0) * std::exp(-u), rounding);
}

TEST(Matern, IsContinuousInSmoothnessAcrossTheClosedForms) {
  for (const double smoothness : {0.5, 1.5, 2.5}) {
    const Matern closed{smoothness, lengthscale, {}};
    const Matern beside{smoothness * (1.0 + 1e-13), lengthscale, {}};
    EXPECT_NEAR(between(closed, {0, 1}, {1, 2}), between(beside, {0, 1}, {1, 2}), 1e-12);
  }
}

TEST(Matern, TendsToTheSquaredExponential) {
  // The difference is O(1/ν) = O(2e-3).
  EXPECT_NEAR(between(Matern{500.0, lengthscale, {}}, {0, 1}, {1, 2}), std::exp(-0.625), 2e-3);
}

TEST(Matern, OfADuplicateIsExactlyOne) {
  const Matrix X = table(40, wide, 3);
  for (const double smoothness : {0.5, 0.3, 1.5, 2.5, 4.0}) {
    const Covariance k = Matern{smoothness, own_lengthscales(wide), {2}};
    const Matrix K = cross(k, X, X);
    for (Index i = 0; i < X.rows(); ++i) EXPECT_EQ(K(i, i), 1.0);
    EXPECT_EQ(K(1, 4), 1.0);
  }
}

TEST(Linear, FollowsItsFormula) {
  EXPECT_NEAR(between(Linear{lengthscale, {}}, {2, 3}, {5, 7}), 10.0 + 21.0 / 4.0, rounding * 20);
}

TEST(Linear, EqualsTheOneHotEncodingOfADiscreteColumn) {
  EXPECT_NEAR(between(Linear{lengthscale, {1}}, {2, 3}, {5, 3}), 10.25, rounding * 20);
  EXPECT_NEAR(between(Linear{lengthscale, {1}}, {2, 3}, {5, 7}), 10.0, rounding * 20);
}

TEST(Noise, IsByRowAndNeverInTestPoints) {
  Matrix X(3, 1);
  X << 1.0, 1.0, 2.0;
  const Covariance k = Covariance(Constant{0.5}) + Covariance(Noise{0.25});
  Matrix K(3, 3);
  Gram(k, X).block(0, 0, K);
  EXPECT_EQ(K(0, 0), 0.75);
  EXPECT_EQ(K(0, 1), 0.5);  // equal inputs, different rows
  EXPECT_EQ(cross(k, X, X)(0, 0), 0.5);
  EXPECT_EQ(prior_variance(k, X)[0], 0.5);
}

class CovarianceAlgebra : public testing::Test {
 protected:
  const Covariance a = SquaredExponential{own_lengthscales(narrow), {}};
  const Covariance b = Linear{};
  const Covariance c = Matern{0.5, Vector::Constant(1, 2.0), {2}};
  const Matrix X = table(9, narrow, 11);
  Matrix of(const Covariance& k) const { return cross(k, X, X); }
};

// Sums and products of a few numbers of size 10 or less.
constexpr double algebra_rounding = 1e-13;

TEST_F(CovarianceAlgebra, SumsAndProductsActEntryByEntry) {
  EXPECT_TRUE(of(a + b + c).isApprox(of(a) + of(b) + of(c), algebra_rounding));
  EXPECT_TRUE(
      of(a * b * c).isApprox(of(a).cwiseProduct(of(b)).cwiseProduct(of(c)), algebra_rounding));
  EXPECT_TRUE(of(2.5 * a).isApprox(2.5 * of(a), algebra_rounding));
}

TEST_F(CovarianceAlgebra, ProductsDistributeOverSums) {
  EXPECT_TRUE(of(a * (b + c)).isApprox(of(a * b + a * c), algebra_rounding));
  EXPECT_FALSE(of(a * (b + c)).isApprox(of(a * b + c), algebra_rounding));  // the mutant
}

TEST_F(CovarianceAlgebra, FlattensSumsAndProducts) {
  EXPECT_EQ(std::get<Sum>((a + b + c).node).terms.size(), 3U);
  EXPECT_EQ(std::get<Sum>((a + (b + c)).node).terms.size(), 3U);
  EXPECT_EQ(std::get<Product>((a * b * c).node).factors.size(), 3U);
  EXPECT_EQ(a + b + c, a + (b + c));
}

TEST_F(CovarianceAlgebra, EqualityComparesTreesAndNumbers) {
  EXPECT_EQ(a, a);
  EXPECT_FALSE(a == b);
  EXPECT_FALSE(2.0 * a == 3.0 * a);
  EXPECT_FALSE(a + b == b + a);  // the same function, another tree
  EXPECT_FALSE(Covariance(SquaredExponential{}) ==
               Covariance(SquaredExponential{Vector::Ones(2), {}}));
}

}  // namespace
}  // namespace candor::testing_support
