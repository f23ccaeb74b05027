// SPDX-License-Identifier: MIT
#include <apps/cli/planting.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace candor::cli {
namespace {

std::vector<int> alternating(int rows, int classes) {
  std::vector<int> codes;
  codes.reserve(static_cast<std::size_t>(rows));
  for (int i = 0; i < rows; ++i) codes.push_back(i % classes);
  return codes;
}

// Every error is of an existing label, changes it, and no row is changed twice.
void expect_errors(const std::vector<Planted>& planted, const std::vector<int>& codes,
                   int classes) {
  std::set<Index> rows;
  for (const Planted& p : planted) {
    const int old = codes[static_cast<std::size_t>(p.row)];
    EXPECT_GE(old, 0);
    EXPECT_NE(p.label, old);
    EXPECT_GE(p.label, 0);
    EXPECT_LT(p.label, classes);
    EXPECT_TRUE(rows.insert(p.row).second);
  }
}

TEST(Planting, UniformChangesTheShareAskedFor) {
  std::vector<int> codes = alternating(200, 3);
  codes[7] = -1;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const auto planted = plant_uniform(codes, 3, 0.1, seed);
    EXPECT_EQ(planted.size(), 20U);  // of 199
    expect_errors(planted, codes, 3);
  }
}

TEST(Planting, UniformUsesEveryOtherClass) {
  std::set<int> seen;
  const std::vector<int> codes(300, 1);
  for (const Planted& p : plant_uniform(codes, 4, 0.5, 3)) seen.insert(p.label);
  EXPECT_EQ(seen, (std::set<int>{0, 2, 3}));
}

TEST(Planting, ByClassLeavesOtherClassesAlone) {
  const std::vector<int> codes = alternating(100, 2);
  const auto planted = plant_by_class(codes, 2, {{1, 0.2}}, 5);
  EXPECT_EQ(planted.size(), 10U);
  expect_errors(planted, codes, 2);
  for (const Planted& p : planted) EXPECT_EQ(p.label, 0);
}

TEST(Planting, NearTheBoundaryPrefersRowsCloseToAnotherClass) {
  const Index n = 200;
  Matrix X(n, 1);
  std::vector<int> codes;
  for (Index i = 0; i < n; ++i) {
    // Neighbours of one's own class are a tenth apart, those of the other at 0.
    X(i, 0) = (i < n / 2 ? -1.0 : 1.0) * 0.1 * static_cast<double>(i % (n / 2) + 1);
    codes.push_back(i < n / 2 ? 0 : 1);
  }
  const auto planted = plant_near_boundary(codes, X, {}, 0.1, 11);
  EXPECT_EQ(planted.size(), 20U);
  expect_errors(planted, codes, 2);
  double distance = 0.0;
  for (const Planted& p : planted) distance += std::abs(X(p.row, 0)) / 20.0;
  // Rows are 5 away on average; with weights that fall by e⁻⁸ the mean of 20 is near 10/8.
  EXPECT_LT(distance, 2.5);
}

TEST(Planting, NearTheBoundaryKnowsThatCellsAreNotKnown) {
  const Index n = 60;
  Matrix X(n, 2);
  std::vector<int> codes = alternating(static_cast<int>(n), 2);
  for (Index i = 0; i < n; ++i) {
    X.row(i) << (i % 2 == 0 ? -1.0 : 1.0) - 0.05 * static_cast<double>(i % 7), 0.1;
    if (i % 5 == 0) X(i, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  const auto planted = plant_near_boundary(codes, X, {}, 0.4, 4);
  EXPECT_EQ(planted.size(), 24U);
  expect_errors(planted, codes, 2);
}

TEST(Planting, NearTheBoundaryComparesCategoriesForEqualityOnly) {
  // Codes 0 and 9 are as far apart as 0 and 1, so the quantity decides who is nearest: class 1.
  Matrix X(4, 2);
  X << 0.0, 0.0,  //
      9.0, 0.1,   //
      1.0, 0.5,   //
      0.0, 5.0;
  const std::vector<int> codes{0, 1, 2, 0};
  const std::vector<Planted> planted = plant_near_boundary(codes, X, {0}, 1.0, 3);
  const auto first = std::ranges::find(planted, 0, &Planted::row);
  ASSERT_NE(first, planted.end());
  EXPECT_EQ(first->label, 1);
}

TEST(Planting, TheSeedDecides) {
  const std::vector<int> codes = alternating(100, 2);
  const auto rows = [&](std::uint64_t seed) {
    std::vector<Index> all;
    for (const Planted& p : plant_uniform(codes, 2, 0.1, seed)) all.push_back(p.row);
    return all;
  };
  EXPECT_EQ(rows(1), rows(1));
  EXPECT_NE(rows(1), rows(2));
}

}  // namespace
}  // namespace candor::cli
