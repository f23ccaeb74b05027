// SPDX-License-Identifier: MIT
// A sample of rows: of the size asked for, of whole rows, whatever their order.
#include <candor/learning/sample.hpp>

#include "tests/inference/zoo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace candor {
namespace {

// Rows that can be told apart by their weight; some of known rate.
Table table_of(Index n, unsigned seed) {
  Table table = ring(n, 3, seed);
  table.observations.weight = Vector::LinSpaced(n, 1.0, 2.0);
  table.observations.known_flip_rate = Vector::Constant(n, rate_not_known);
  for (Index i = 0; i < n; i += 3) {
    table.observations.known_flip_rate[i] = 0.4 * static_cast<double>(i) / static_cast<double>(n);
  }
  return table;
}

Sample sample_of(const Table& table, Index rows) {
  return sample_rows(table.X, table.observations, rows);
}

std::vector<Index> shuffled(Index n, unsigned seed) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937 bits(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[bits() % i]);
  return order;
}

// The rows with all that is known about them, as a set: what order cannot change.
std::multiset<std::vector<double>> rows_of(const Matrix& X, const Observations& observations) {
  std::multiset<std::vector<double>> rows;
  for (Index i = 0; i < X.rows(); ++i) {
    const double rate = observations.row(i).known_flip_rate;
    std::vector<double> row{observations.y[i], observations.weight_of(i),
                            std::isnan(rate) ? -1.0 : rate};
    for (Index c = 0; c < X.cols(); ++c) row.push_back(X(i, c));
    rows.insert(row);
  }
  return rows;
}
std::multiset<std::vector<double>> rows_of(const Sample& sample) {
  return rows_of(sample.X, sample.observations);
}

TEST(SampleLaws, TheOrderOfRowsDoesNotMatter) {
  const Table table = table_of(60, 4);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Table permuted = candor::rows_of(table, shuffled(60, seed));
    const Sample a = sample_of(table, 20), b = sample_of(permuted, 20);
    EXPECT_EQ(a.X, b.X) << "seed " << seed;
    EXPECT_EQ(a.observations.y, b.observations.y) << "seed " << seed;
    EXPECT_EQ(a.observations.weight, b.observations.weight) << "seed " << seed;
  }
}

TEST(SampleMutants, TheFirstRowsDependOnTheOrder) {
  const Table table = table_of(60, 4);
  const Table permuted = candor::rows_of(table, shuffled(60, 1));
  EXPECT_NE(table.X.topRows(20), permuted.X.topRows(20));
}

TEST(SampleLaws, RowsArriveWholeWithWeightsAndKnownRates) {
  const Table table = table_of(60, 5);
  const auto all = rows_of(table.X, table.observations);
  const auto some = rows_of(sample_of(table, 25));
  EXPECT_TRUE(std::ranges::includes(all, some));
}

TEST(SampleLaws, ASampleOfASampleIsASampleOfTheTable) {
  const Table table = table_of(60, 6);
  const Sample larger = sample_of(table, 40);
  EXPECT_EQ(rows_of(sample_rows(larger.X, larger.observations, 15)), rows_of(sample_of(table, 15)));
}

TEST(Sample, HasTheSizeAskedForOrAllRows) {
  const Table table = table_of(30, 7);
  for (const Index rows : {1, 7, 29, 30}) EXPECT_EQ(sample_of(table, rows).X.rows(), rows);
  const Sample all = sample_of(table, 100);
  EXPECT_EQ(all.X.rows(), 30);
  EXPECT_EQ(all.observations.size(), 30);
  EXPECT_EQ(rows_of(all), rows_of(table.X, table.observations));
}

TEST(Sample, OfATableWithoutWeightsHasNone) {
  const Table table = ring(30, 3, 7);
  const Sample sample = sample_of(table, 10);
  EXPECT_EQ(sample.observations.weight.size(), 0);
  EXPECT_EQ(sample.observations.known_flip_rate.size(), 0);
}

// Half of 400 rows have x > 0: a fair sample of 100 has 50 ± 5 of them, and four deviations are 20.
TEST(Sample, TakesNoSideOfTheTable) {
  const Table table = ring(400, 0, 8);
  const Sample sample = sample_of(table, 100);
  const double share_of_all = (table.X.col(0).array() > 0.0).cast<double>().mean();
  const double share = (sample.X.col(0).array() > 0.0).cast<double>().mean();
  EXPECT_NEAR(share, share_of_all, 0.2);
}

TEST(Sample, TakesTheTwoZerosForOne) {
  Matrix X(3, 1), signed_X(3, 1);
  X << 0.0, 1.0, 2.0;
  signed_X << -0.0, 1.0, 2.0;
  const Observations observations = labels(Vector{{1.0, -1.0, 1.0}});
  EXPECT_EQ(sample_rows(X, observations, 2).X, sample_rows(signed_X, observations, 2).X);
}

// Equal rows that differ in weight or known rate alone.
TEST(SampleLaws, TheOrderOfEqualRowsOfDifferentWeightDoesNotMatter) {
  Table table = table_of(12, 9);
  for (Index i = 0; i < 12; ++i) {
    table.X.row(i) = table.X.row(i % 2);
    table.observations.y[i] = table.observations.y[i % 2];
  }
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Table permuted = candor::rows_of(table, shuffled(12, seed));
    EXPECT_EQ(rows_of(sample_of(table, 4)), rows_of(sample_of(permuted, 4))) << "seed " << seed;
  }
}

TEST(SampleSizes, GrowToHalfOfTheTable) {
  EXPECT_EQ(sample_sizes(600, 300), (std::vector<Index>{300}));
  EXPECT_EQ(sample_sizes(899, 300), (std::vector<Index>{300}));
  EXPECT_EQ(sample_sizes(900, 300), (std::vector<Index>{300, 450}));
  EXPECT_EQ(sample_sizes(1799, 300), (std::vector<Index>{300, 899}));
  EXPECT_EQ(sample_sizes(1800, 300), (std::vector<Index>{300, 450, 900}));
  EXPECT_EQ(sample_sizes(20000, 300), (std::vector<Index>{300, 625, 1250, 2500, 5000, 10000}));
}

}  // namespace
}  // namespace candor
