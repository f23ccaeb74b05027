// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

using namespace testing_tables;

FitOptions two_covariances() {
  FitOptions options = quick();
  options.covariances.emplace_back("4 * matern(lengthscale=2) + constant(1)");
  return options;
}

// Says no from the first stage on that names this.
Watcher until(const std::string& part) {
  return
      [part](const Progress& progress) { return progress.stage.find(part) == std::string::npos; };
}

TEST(Cancel, BeforeAnythingWasLearnedThrows) {
  FitOptions options = quick();
  options.watcher = [](const Progress&) { return false; };
  EXPECT_THROW(static_cast<void>(fit_table(table_of(two_classes(20)), options)), Cancelled);
}

TEST(Progress, SpellsOutTheControlCharactersOfAClass) {
  FitOptions options = quick();
  options.multiclass = Multiclass::one_vs_rest;
  std::string stage;
  options.watcher = [&](const Progress& progress) {
    stage = progress.stage;
    return false;
  };
  const Table table = table_of("x,class\n1,a\x1B[2J\n2,b\n3,c\n4,c\n");
  EXPECT_THROW(static_cast<void>(fit_table(table, options)), Cancelled);
  EXPECT_NE(stage.find("class 1 of 3 (\"a\\x1B[2J\")"), std::string::npos) << stage;
}

TEST(Cancel, KeepsTheCovariancesThatWereDone) {
  FitOptions options = two_covariances();
  options.watcher = until("matern");
  const Classifier c = fit_table(table_of(two_classes(20)), options);
  EXPECT_TRUE(c.interrupted);
  EXPECT_FALSE(c.converged());
  EXPECT_EQ(c.questions[0].evidence.size(), 3U);  // the views of one covariance
  const Classifier alone = fit_table(table_of(two_classes(20)));
  EXPECT_EQ(c.questions[0].p_wrong, alone.questions[0].p_wrong);
  EXPECT_TRUE(alone.converged());
}

TEST(Cancel, KeepsTheSameCovariancesForEveryClass) {
  FitOptions options = two_covariances();
  options.multiclass = Multiclass::one_vs_rest;
  bool has_begun = false;
  options.watcher = [&](const Progress& progress) {
    const bool second = progress.stage.find("class 2 of 3 (\"c2\")") != std::string::npos;
    has_begun = has_begun || (second && progress.stage.find("matern") != std::string::npos);
    return !has_begun;
  };
  const Classifier c = fit_table(table_of(three_classes(24)), options);
  EXPECT_TRUE(has_begun);
  EXPECT_TRUE(c.interrupted);
  ASSERT_EQ(c.questions.size(), 3U);
  for (const Question& q : c.questions) EXPECT_EQ(q.evidence.size(), 2U);
  options.watcher = until("class 3 of 3");
  EXPECT_THROW(static_cast<void>(fit_table(table_of(three_classes(24)), options)), Cancelled)
      << "a classifier of two questions in three answers nothing";
}

TEST(Cancel, IsAskedWithARunningAccount) {
  FitOptions options = quick();
  std::vector<Progress> seen;
  options.watcher = [&](const Progress& progress) {
    seen.push_back(progress);
    return true;
  };
  static_cast<void>(fit_table(table_of(two_classes(20)), options));
  ASSERT_GT(seen.size(), 10U);
  EXPECT_EQ(seen.front().best, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(seen.back().best));
}

}  // namespace
}  // namespace candor
