// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <candor/model/cost.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

Workload work_of(Index rows) {
  return {.rows = rows,
          .columns = 10,
          .questions = 1,
          .parameters = {4, 13},
          .errors = {LabelErrors::none, LabelErrors::uniform}};
}

TEST(Cost, GrowsAsTheCubeOfTheRowsAndItsMemoryAsTheSquare) {
  constexpr double unit = 1e-11;
  const Cost small = cost_of(work_of(50'000), unit), large = cost_of(work_of(100'000), unit);
  // Terms in n² are a tenth of the whole at these sizes.
  EXPECT_GT(large.seconds / small.seconds, 7.5);
  EXPECT_LE(large.seconds / small.seconds, 8.0);
  EXPECT_NEAR(large.bytes / small.bytes, 4.0, 0.01);
  EXPECT_DOUBLE_EQ(cost_of(work_of(500), 2.0 * unit).seconds,
                   2.0 * cost_of(work_of(500), unit).seconds);
}

TEST(Cost, CountsQuestionsViewsAndPoints) {
  constexpr double unit = 1e-11;
  Workload work = work_of(2000);
  const Cost one = cost_of(work, unit);
  work.questions = 3;
  EXPECT_NEAR(cost_of(work, unit).seconds, 3.0 * one.seconds, 1e-9);
  EXPECT_EQ(cost_of(work, unit).bytes, one.bytes) << "questions come one after the other";
  work = work_of(2000);
  work.average = Average::full;
  EXPECT_GT(cost_of(work, unit).seconds, one.seconds);
  // K and a factor for each of two candidates and 13 points, 3 n² at work.
  EXPECT_GT(cost_of(work, unit).bytes, 8.0 * 2000 * 2000 * (2 * (2 + 13) + 3));
  // Two candidates and the inference that runs.
  EXPECT_GT(one.bytes, 8.0 * 2000 * 2000 * 7);
  EXPECT_LT(one.bytes, 8.0 * 2000 * 2000 * 7.1);
}

TEST(Cost, IsMeasuredOnThisMachine) {
  const double unit = seconds_per_cube({1});
  // From a supercomputer's core to one that runs under an emulator.
  EXPECT_GT(unit, 1e-13);
  EXPECT_LT(unit, 1e-7);
  EXPECT_GT(available_bytes().value_or(1.0), 0.0);
}

TEST(Cost, IsEstimatedFromWhatWasPrepared) {
  const Table table = testing_tables::table_of(testing_tables::three_classes(60));
  const Schema schema = infer_schema(table, {.label = "class"});
  const Prepared prepared = prepare(table, schema);
  const Cost cost = estimate_cost(prepared, {});
  EXPECT_GT(cost.seconds, 0.0);
  EXPECT_GE(cost.bytes, 8.0 * 60 * 60 * 7);
}

}  // namespace
}  // namespace candor
