// SPDX-License-Identifier: MIT
#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;
using Cells = std::vector<std::string>;

TEST(Libsvm, ReadsPairsAndTakesAbsentOnesForZero) {
  const Table table = table_of("+1 1:0.5 3:2\n\n-1 2:-1e-3 # a comment\n+1\n", {}, "t.libsvm");
  EXPECT_EQ(table.names(), (Cells{"label", "feature_1", "feature_2", "feature_3"}));
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(row_of(table, 0), (Cells{"+1", "0.5", "0", "2"}));
  EXPECT_EQ(row_of(table, 1), (Cells{"-1", "0", "-1e-3", "0"}));
  EXPECT_EQ(row_of(table, 2), (Cells{"+1", "0", "0", "0"}));
  EXPECT_EQ(table.line(1), 3);
}

TEST(Libsvm, IsKnownByItsContent) {
  EXPECT_EQ(table_of("1 1:2 2:3\n0 1:4\n", {}, "a9a").dialect().format, TableFormat::libsvm);
  EXPECT_EQ(table_of("time,x\n10:30,4\n", {}, "times").dialect().format, TableFormat::delimited);
}

TEST(Libsvm, IgnoresQueryIdsAndSaysSo) {
  const Table table = table_of("1 qid:7 1:2\n0 qid:7 1:3\n", {}, "t.svmlight");
  EXPECT_EQ(row_of(table, 0), (Cells{"1", "2"}));
  EXPECT_TRUE(any_mentions(table.notes(), "qid of 2 rows ignored"));
}

TEST(Libsvm, RefusesBadPairsWithTheirLine) {
  const auto refused = [](const std::string& line) {
    return refusal([&] { return table_of("1 1:1\n" + line + "\n", {}, "t.libsvm"); });
  };
  EXPECT_TRUE(mentions(refused("1 0:1"), "line 2: index of \"0:1\""));
  EXPECT_TRUE(mentions(refused("1 2:1 1:1"), "line 2: index 1 comes after 2"));
  EXPECT_TRUE(mentions(refused("1 1:1 1:1"), "indices must ascend"));
  EXPECT_TRUE(mentions(refused("1 1:x"), "line 2: value of \"1:x\" must be a finite number"));
  EXPECT_TRUE(mentions(refused("1 1:inf"), "must be a finite number"));
  EXPECT_TRUE(mentions(refused("1 word"), "is not an index:value pair"));
  EXPECT_TRUE(mentions(refused("1:1 2:1"), "no label"));
  EXPECT_TRUE(mentions(refused("1 99999999999999999999:1"), "whole number from 1 to 1000000"));
}

TEST(Libsvm, RefusesTablesWithoutRowsOrFeatures) {
  EXPECT_TRUE(mentions(refusal([] { return table_of("# only\n", {}, "t.svm"); }), "is empty"));
  EXPECT_TRUE(mentions(refusal([] { return table_of("1\n0\n", {}, "t.svm"); }), "index:value"));
}

}  // namespace
}  // namespace candor
