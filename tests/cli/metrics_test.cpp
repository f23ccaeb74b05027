// SPDX-License-Identifier: MIT
#include <apps/cli/metrics.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor::cli {
namespace {

// Sums of four numbers of size 1.
constexpr double rounding = 1e-14;

Matrix of_second_class(const Vector& p) {
  Matrix both(p.size(), 2);
  both << (1.0 - p.array()).matrix(), p;
  return both;
}

TEST(Metrics, OfFourRowsAreThoseOnPaper) {
  const Matrix p = of_second_class((Vector(4) << 0.9, 0.6, 0.4, 0.2).finished());
  const Metrics m = measure(p, {1, 0, 1, 0});
  EXPECT_NEAR(m.error, 0.5, rounding);
  EXPECT_NEAR(m.log_loss, -0.25 * std::log(0.9 * 0.4 * 0.4 * 0.8), rounding);
  EXPECT_NEAR(m.brier, 0.25 * 2.0 * (0.01 + 0.36 + 0.36 + 0.04), rounding);
  EXPECT_NEAR(m.auc, 0.75, rounding);  // of the four pairs, (0.4, 0.6) is the wrong way round
  EXPECT_EQ(m.confusion, (Eigen::MatrixXi(2, 2) << 1, 1, 1, 1).finished());
}

TEST(Metrics, CalibrationErrorIsTheMeanGapOverBins) {
  // Confidence 0.75 in one bin: two right, two wrong.
  const Matrix p = of_second_class(Vector::Constant(4, 0.75));
  EXPECT_NEAR(measure(p, {1, 1, 0, 0}).calibration_error, 0.25, rounding);
  EXPECT_NEAR(measure(p, {1, 1, 1, 0}).calibration_error, 0.0, rounding);
}

TEST(Metrics, ScoreTiesForHalfInTheArea) {
  EXPECT_NEAR(measure(of_second_class(Vector::Constant(5, 0.3)), {0, 1, 1, 0, 1}).auc, 0.5,
              rounding);
}

TEST(Metrics, AreaIsNotANumberWithOneClassOnly) {
  EXPECT_TRUE(std::isnan(measure(of_second_class(Vector::Constant(2, 0.3)), {1, 1}).auc));
}

TEST(Metrics, AreaOfThreeClassesIsTheMeanOfOneAgainstTheRest) {
  Matrix p(3, 3);
  p << 0.8, 0.1, 0.1, 0.1, 0.8, 0.1, 0.1, 0.1, 0.8;
  EXPECT_NEAR(measure(p, {0, 1, 2}).auc, 1.0, rounding);
  EXPECT_NEAR(measure(p, {1, 2, 0}).auc, 0.25, rounding);  // one tie, one loss each
}

TEST(Metrics, CertaintyInTheWrongClassIsFinite) {
  const Metrics m = measure(of_second_class(Vector::Ones(1)), {0});
  EXPECT_TRUE(std::isfinite(m.log_loss));
  EXPECT_GT(m.log_loss, 700.0);
}

}  // namespace
}  // namespace candor::cli
