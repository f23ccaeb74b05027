// SPDX-License-Identifier: MIT
#include "classifiers.hpp"

#include <candor/audit/audit.hpp>
#include <candor/audit/reasons.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

// A few operations on numbers of size 1.
constexpr double rounding = 1e-13;

TEST(NearestRows, AreOrderedBySimilarityAndThenByRow) {
  const Classifier c = two_classes({0.0, 1.0, -1.0, 0.5, 9.0}, {0, 0, 0, 0, 0});
  const auto nearest = nearest_rows(c, {0}, 3, Threads{1});
  ASSERT_EQ(nearest.size(), 1U);
  ASSERT_EQ(nearest[0].size(), 3U);
  EXPECT_EQ(nearest[0][0].training_row, 3);
  EXPECT_EQ(nearest[0][1].training_row, 1);
  EXPECT_EQ(nearest[0][2].training_row, 2);
  EXPECT_NEAR(nearest[0][0].similarity, std::exp(-0.125), rounding);
}

TEST(NearestRows, LeaveTheRowItselfOutButNotItsCopies) {
  const Classifier c = two_classes({1.0, 1.0, 5.0}, {0, 0, 0});
  const auto nearest = nearest_rows(c, {0, 1}, 5, Threads{1});
  EXPECT_EQ(nearest[0].size(), 2U);
  EXPECT_EQ(nearest[0][0].training_row, 1);
  EXPECT_EQ(nearest[1][0].training_row, 0);
  EXPECT_NEAR(nearest[1][0].similarity, 1.0, rounding);
}

TEST(NearestRows, AverageTheCorrelationsOfProcesses) {
  Classifier c = two_classes({0.0, 1.0}, {0, 0});
  Process other = c.questions[0].processes[0];
  c.questions[0].processes[0].weight = 0.25;
  other.weight = 0.75;
  other.covariance = 7.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 2.0)});
  c.questions[0].processes.push_back(other);
  const auto nearest = nearest_rows(c, {0}, 1, Threads{1});
  EXPECT_NEAR(nearest[0][0].similarity, 0.25 * std::exp(-0.5) + 0.75 * std::exp(-0.125), rounding);
}

TEST(NearestRows, AreTheSameInBlocksAsOneByOne) {
  std::vector<double> x;
  std::vector<Index> all;
  for (Index i = 0; i < 150; ++i) {
    x.push_back(std::sin(3.7 * static_cast<double>(i)));
    all.push_back(i);
  }
  const Classifier c = two_classes(x, std::vector<int>(150, 0));
  const auto blocks = nearest_rows(c, all, 4, Threads{2});
  for (const Index i : {Index{0}, Index{63}, Index{64}, Index{149}}) {
    const auto alone = nearest_rows(c, {i}, 4, Threads{1});
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(blocks[static_cast<std::size_t>(i)][k].training_row, alone[0][k].training_row);
    }
  }
}

TEST(Novelty, IsOneBeforeAnySiteSaysAnything) {
  const Classifier c = two_classes({0.0, 1.0}, {0, 1});
  const Vector share = novelty(c, Threads{1});
  EXPECT_NEAR(share[0], 1.0, rounding);
  EXPECT_NEAR(share[1], 1.0, rounding);
}

// Two rows of correlation ρ, site precisions τ₁, τ₂: Var[f₁ | row 2] = 1 - ρ²/(1 + 1/τ₂).
TEST(Novelty, LeavesTheRowsOwnSiteOut) {
  Classifier c = two_classes({0.0, 1.0}, {0, 1});
  c.questions[0].processes[0].site_tau << 5.0, 2.0;
  const Vector share = novelty(c, Threads{1});
  const double rho2 = std::exp(-1.0);
  EXPECT_NEAR(share[0], 1.0 - rho2 / 1.5, rounding);
  EXPECT_NEAR(share[1], 1.0 - rho2 / 1.2, rounding);
}

TEST(Novelty, OfAFarRowIsOneAndOfACrowdedOneIsSmall) {
  Classifier c = two_classes({0.0, 0.01, 0.02, 0.03, 50.0}, {0, 0, 0, 0, 1});
  c.questions[0].processes[0].site_tau.setConstant(20.0);
  const Vector share = novelty(c, Threads{1});
  EXPECT_LT(share[1], 0.05);
  EXPECT_NEAR(share[4], 1.0, rounding);
}

TEST(Audit, GivesReasonsForTheRowsAskedForAndForAllAboveTheThreshold) {
  Classifier c = two_classes({0, 1, 2, 3, 4}, {0, 0, 0, 1, 1});
  c.questions[0].p_wrong << 0.9, 0.8, 0.7, 0.1, 0.0;
  const Audit result = audit(c, {.reasons_for = 1, .neighbours = 2});
  EXPECT_EQ(result.rows[2].neighbours.size(), 2U);
  EXPECT_TRUE(result.rows[3].neighbours.empty());
  const Neighbour& near = result.rows[0].neighbours[0];  // of x = 0
  EXPECT_EQ(near.row, 11);
  EXPECT_EQ(near.label, 0);
  EXPECT_DOUBLE_EQ(near.p_wrong, 0.8);
}

}  // namespace
}  // namespace candor
