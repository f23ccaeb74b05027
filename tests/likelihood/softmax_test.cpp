// SPDX-License-Identifier: MIT
// The softmax function, its logarithm and its integral against a Gaussian, with measured errors.
#include "softmax_reference.hpp"

#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/likelihood/softmax.hpp>
#include <candor/likelihood/softmax_gaussian.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace candor {
namespace {

double distance(const Vector& a, const Vector& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

Matrix normals(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(bits); });
}

TEST(Softmax, IsTheExponentialDividedByItsSum) {
  const Vector f{{0.3, -1.2, 2.0, 0.0}};
  const Vector e = f.array().exp();
  EXPECT_LT(distance(softmax(f), e / e.sum()), 1e-15);
  for (Index y = 0; y < 4; ++y) EXPECT_NEAR(log_softmax(f, y), std::log(e[y] / e.sum()), 1e-15);
}

TEST(Softmax, DoesNotChangeWhenAllValuesAreShifted) {
  const Vector f{{0.5, -1.25, 2.0}};  // exact after the shift
  EXPECT_EQ(softmax(f), softmax(f.array() + 1024.0));
  EXPECT_EQ(log_softmax(f, 1), log_softmax(f.array() + 1024.0, 1));
}

TEST(Softmax, IsTheLogisticFunctionOfADifference) {
  for (const double d : {-800.0, -3.0, 0.0, 0.7, 40.0}) {
    const Vector f{{0.25, 0.25 + d}};
    EXPECT_NEAR(softmax(f)[1], logistic(f[1] - f[0]), 1e-16);
    EXPECT_NEAR(log_softmax(f, 1), log_logistic(f[1] - f[0]), 1e-15 * std::abs(d));
  }
}

TEST(Softmax, KeepsItsDigitsWhereAClassIsAlmostCertain) {
  const Vector f{{50.0, 0.0, 0.0}};
  EXPECT_NEAR(log_softmax(f, 0) / (-2.0 * std::exp(-50.0)), 1.0, 1e-14);
  EXPECT_NEAR(log_softmax_gradient(f, 0)[0] / (2.0 * std::exp(-50.0)), 1.0, 1e-14);
}

TEST(Softmax, IsFiniteForValuesOfAnySize) {
  const Vector f{{1e300, -1e300, 0.0}};
  EXPECT_LT(distance(softmax(f), Vector{{1.0, 0.0, 0.0}}), 1e-300);  // exp(-∞) may be a denormal
  EXPECT_EQ(log_softmax(f, 0), 0.0);
  EXPECT_EQ(log_softmax(f, 1), -2e300);
}

// Central differences at two steps with Richardson's extrapolation: truncation h⁴ ≈ 1e-11, rounding
// 1e-16/h ≈ 1e-13.
TEST(Softmax, GradientAgreesWithDifferences) {
  const Vector f{{0.3, -1.2, 2.0, 0.0}};
  constexpr double h = 2e-3;
  for (Index y = 0; y < 4; ++y) {
    const Vector gradient = log_softmax_gradient(f, y);
    for (Index c = 0; c < 4; ++c) {
      const auto central = [&](double step) {
        const Vector e = step * Vector::Unit(4, c);
        return (log_softmax(f + e, y) - log_softmax(f - e, y)) / (2.0 * step);
      };
      EXPECT_NEAR(gradient[c], (4.0 * central(0.5 * h) - central(h)) / 3.0, 1e-10);
    }
    EXPECT_NEAR(gradient.sum(), 0.0, 1e-15);
  }
}

TEST(SoftmaxGaussian, IsTheSoftmaxWhereNothingIsUncertain) {
  for (const Index C : {2, 3, 7, 30}) {
    const Vector m = normals(C, 1, 5);
    // A common shift of all classes, however uncertain, does not matter.
    EXPECT_LT(distance(softmax_gaussian(m, Matrix::Constant(C, C, 9.0)), softmax(m)), 1e-13) << C;
  }
}

TEST(SoftmaxGaussian, OfTwoClassesIsTheLogisticIntegral) {
  const Vector m{{0.4, -1.1}};
  const Matrix S{{2.0, 0.7}, {0.7, 1.5}};
  EXPECT_NEAR(softmax_gaussian(m, S)[1], expected_logistic({-1.5, 2.1}), 1e-13);
}

// A single uncertain class: logistic in its own value, the others share what is left.
TEST(SoftmaxGaussian, WithOneUncertainClassIsALogisticIntegral) {
  for (const double variance : {0.01, 1.0, 100.0, 1e6}) {
    Vector m = normals(8, 1, 3);
    const Matrix S = variance * Vector::Unit(8, 0).asDiagonal().toDenseMatrix();
    const Vector others = softmax(m.tail(7));
    const double log_sum = m[1] - std::log(others[0]);
    const double p = expected_logistic({m[0] - log_sum, variance});
    Vector want(8);
    want << p, (1.0 - p) * others;
    EXPECT_LT(distance(softmax_gaussian(m, S), want), 1e-7) << variance;
  }
}

// Limits are 1e-7 for the product rule and, for the lattice, twice the errors measured on other
// problems than these (docs/math/softmax.md).
struct Accuracy {
  Index classes;
  double sd;  // of a latent value
  double allowed;
};
class SoftmaxGaussianAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(SoftmaxGaussianAccuracy, IndependentClasses) {
  const auto [C, sd, allowed] = GetParam();
  const SoftmaxGaussian integral(C);
  double worst = 0.0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Vector m = sd * normals(C, 1, seed);
    const Vector v = sd * sd * Vector::LinSpaced(C, 0.2, 1.8);
    worst =
        std::max(worst, distance(integral(m, Matrix(v.asDiagonal())), independent_softmax(m, v)));
  }
  EXPECT_LT(worst, allowed);
}

// Two groups of classes, each with a shared part: correlated latent values.
TEST_P(SoftmaxGaussianAccuracy, CorrelatedClasses) {
  const auto [C, sd, allowed] = GetParam();
  if (static_cast<double>(C) * sd > 50.0) GTEST_SKIP() << "the reference would take minutes";
  const SoftmaxGaussian integral(C);
  double worst = 0.0;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const Vector m = sd * normals(C, 1, seed);
    const Vector v = sd * sd * Vector::LinSpaced(C, 1.8, 0.2);
    const double shared = sd * sd;
    Vector first = Vector::Zero(C);
    first.head(C / 2).setOnes();
    const Vector second = Vector::Ones(C) - first;
    const Matrix S = Matrix(v.asDiagonal()) + shared * first * first.transpose() +
                     shared * second * second.transpose();
    worst = std::max(worst, distance(integral(m, S), two_group_softmax(m, v, C / 2, 2.0 * shared)));
  }
  EXPECT_LT(worst, allowed);
}

INSTANTIATE_TEST_SUITE_P(Problems, SoftmaxGaussianAccuracy,
                         testing::Values(Accuracy{3, 0.3, 1e-7}, Accuracy{3, 1.5, 1e-7},
                                         Accuracy{3, 8.0, 1e-7}, Accuracy{4, 0.3, 1e-7},
                                         Accuracy{4, 1.0, 1e-7}, Accuracy{4, 8.0, 1e-3},
                                         Accuracy{5, 1.5, 2e-4}, Accuracy{10, 1.5, 1e-3},
                                         Accuracy{10, 8.0, 6e-3}, Accuracy{30, 0.3, 8e-5},
                                         Accuracy{30, 1.5, 2e-3}, Accuracy{30, 8.0, 1e-2}),
                         [](const auto& accuracy) {
                           return "C" + std::to_string(accuracy.param.classes) + "Sd" +
                                  std::to_string(static_cast<int>(10.0 * accuracy.param.sd)) +
                                  "Tenths";
                         });

// The reference by itself, cut at 7σ: two classes are the logistic integral.
TEST(SoftmaxGaussianReference, IsTheLogisticIntegralForTwoClasses) {
  for (const double v : {0.1, 2.0, 60.0}) {
    const Vector p = independent_softmax(Vector{{0.3, -0.9}}, Vector{{v, 0.5 * v}});
    EXPECT_NEAR(p[0], expected_logistic({1.2, 1.5 * v}), 1e-9) << v;
    const Vector q = two_group_softmax(Vector{{0.3, -0.9}}, Vector{{v, 0.5 * v}}, 1, v);
    EXPECT_NEAR(q[0], expected_logistic({1.2, 2.5 * v}), 1e-9) << v;
  }
}

TEST(SoftmaxGaussianMutants, AWrongCovarianceBreaksTheAccuracy) {
  const Vector m{{0.4, -1.1, 0.2, 0.9, 0.0}}, v{{1.0, 2.0, 0.5, 1.5, 3.0}};
  const Matrix wrong = (1.05 * v).asDiagonal();
  EXPECT_GT(distance(softmax_gaussian(m, wrong), independent_softmax(m, v)), 1e-3);  // limit: 2e-4
}

TEST(SoftmaxGaussian, FollowsAPermutationOfTheClasses) {
  const Matrix A = normals(3, 3, 11);
  const Matrix S = A * A.transpose();
  const Vector m = normals(3, 1, 12);
  const std::vector<Index> order{2, 0, 1};
  const Vector p = softmax_gaussian(m, S), q = softmax_gaussian(m(order), S(order, order));
  EXPECT_LT(distance(q, p(order)), 1e-8);  // both are within 1e-8 of the truth
}

TEST(SoftmaxGaussian, IsAProbabilityHoweverFarAndWide) {
  for (const Index C : {2, 3, 4, 12}) {
    for (const double size : {0.0, 1e-300, 1e-9, 1.0, 1e4, 1e12, 1e300}) {
      for (const double variance : {0.0, 1e-300, 1e-9, 1.0, 1e4, 1e12, 1e300}) {
        const Vector m = size * Vector::LinSpaced(C, -1.0, 1.0);
        const Vector p = softmax_gaussian(m, variance * Matrix::Identity(C, C));
        EXPECT_TRUE(p.allFinite() && p.minCoeff() >= 0.0 && p.maxCoeff() <= 1.0) << p;
        EXPECT_NEAR(p.sum(), 1.0, 1e-14);
      }
    }
  }
}

TEST(SoftmaxGaussian, GivesTheSameBitsAgain) {
  const Matrix A = normals(9, 9, 1);
  const Matrix S = A * A.transpose();
  const Vector m = normals(9, 1, 2);
  EXPECT_EQ(softmax_gaussian(m, S), softmax_gaussian(m, S));
}

TEST(SoftmaxGaussian, RefusesWhatItCannotIntegrate) {
  const auto message = [](const Vector& m, const Matrix& S) -> std::string {
    try {
      static_cast<void>(softmax_gaussian(m, S));
    } catch (const InvalidInput& refusal) {
      return refusal.what();
    }
    return "";
  };
  EXPECT_EQ(message(Vector::Zero(1), Matrix::Identity(1, 1)),
            "classes is 1: it must be at least 2 and less than 65");
  EXPECT_EQ(message(Vector::Zero(3), Matrix::Identity(2, 2)),
            "mean has size 3 and rows of covariance has size 2: they must have the same size");
  Vector m = Vector::Zero(3);
  m[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(m, Matrix::Identity(3, 3)), "mean(1, 0) is nan: it must be finite");
}

}  // namespace
}  // namespace candor
