// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <candor/model/cost.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace candor {
namespace {

FitSize work_of(Index rows) {
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
  FitSize work = work_of(2000);
  const Cost one = cost_of(work, unit);
  work.questions = 3;
  EXPECT_NEAR(cost_of(work, unit).seconds, 3.0 * one.seconds, 1e-9);
  EXPECT_EQ(cost_of(work, unit).bytes, one.bytes) << "questions come one after the other";
  work = work_of(2000);
  work.average = Average::full;
  EXPECT_GT(cost_of(work, unit).seconds, one.seconds);
  FitSize light = work_of(100);
  light.light_share = 0.5;
  EXPECT_GT(cost_of(light, unit).seconds, 10.0 * cost_of(work_of(100), unit).seconds);
  FitSize variational = work_of(100);
  variational.variational = true;
  EXPECT_GT(cost_of(variational, unit).seconds, 2.0 * cost_of(work_of(100), unit).seconds);
  // K and a factor for each of two candidates and 13 points, 3 n² at work.
  EXPECT_GT(cost_of(work, unit).bytes, 8.0 * 2000 * 2000 * (2 * (2 + 13) + 3));
  // Two candidates and the inference that runs.
  EXPECT_GT(one.bytes, 8.0 * 2000 * 2000 * 7);
  EXPECT_LT(one.bytes, 8.0 * 2000 * 2000 * 7.1);
}

TEST(Cost, ASampleOfTheRowsThatAreAffordableIs) {
  constexpr double unit = 1e-11;
  const Cost whole = cost_of(work_of(5000), unit);
  for (const Cost& allowed :
       {Cost{whole.seconds / 8.0, whole.bytes}, Cost{whole.seconds, whole.bytes / 8.0}}) {
    const Index rows = affordable_rows(work_of(5000), unit, allowed);
    const Cost within = cost_of(work_of(rows), unit), beyond = cost_of(work_of(rows + 100), unit);
    EXPECT_TRUE(within.seconds <= allowed.seconds && within.bytes <= allowed.bytes) << rows;
    EXPECT_TRUE(beyond.seconds > allowed.seconds || beyond.bytes > allowed.bytes) << rows;
  }
}

// Which saves evaluations as well as factorisations.
TEST(Cost, FallsWhereATableIsBegunFromASample) {
  EXPECT_LT(cost_of(work_of(600), 1e-11).seconds, 0.75 * cost_of(work_of(599), 1e-11).seconds);
}

TEST(Cost, IsMeasuredOnThisMachine) {
  const double unit = seconds_per_cube({1});
  // From a supercomputer's core to one that runs under an emulator.
  EXPECT_GT(unit, 1e-13);
  EXPECT_LT(unit, 1e-7);
}

// A folder that looks like the root of a system.
class Root {
 public:
  Root() { std::filesystem::create_directory(path_); }
  ~Root() { std::filesystem::remove_all(path_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  [[nodiscard]] std::string path() const { return path_.string() + "/"; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / fmt::format("candor_root_{}", ::getpid());
};

TEST(AvailableBytes, AreWhatTheSystemAndTheContainerLeave) {
  const Root root;
  EXPECT_FALSE(available_bytes(root.path()));
  root.write("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    5 kB\n");
  EXPECT_EQ(available_bytes(root.path()), 5.0 * 1024.0);
  root.write("sys/fs/cgroup/memory.max", "max\n");
  root.write("sys/fs/cgroup/memory.current", "3000\n");
  EXPECT_EQ(available_bytes(root.path()), 5.0 * 1024.0) << "no limit";
  root.write("sys/fs/cgroup/memory.max", "4000\n");
  EXPECT_EQ(available_bytes(root.path()), 1000.0);
  root.write("sys/fs/cgroup/memory.stat", "anon 100\ninactive_file 500\nactive_file 7\n");
  EXPECT_EQ(available_bytes(root.path()), 1500.0) << "pages of files are given back";
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1200\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
  root.write("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 50\n");
  EXPECT_EQ(available_bytes(root.path()), 250.0);
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
