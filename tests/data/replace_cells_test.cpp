// SPDX-License-Identifier: MIT
#include <candor/data/replace_cells.hpp>
#include <candor/data/write.hpp>

#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;

TEST(ReplaceCells, ChangesTheseCellsAndNoOtherByte) {
  const Table table = table_of(
      "\xEF\xBB\xBF"
      "a;b;c\r\n1; x ;\"q\"\r\n\r\n2;y;\"r\"");
  EXPECT_EQ(replace_cells(table, {}), table.text());
  EXPECT_EQ(replace_cells(table, {{1, 1, "z"}, {0, 1, "w"}}),
            "\xEF\xBB\xBF"
            "a;b;c\r\n1; w ;\"q\"\r\n\r\n2;z;\"r\"");
}

TEST(ReplaceCells, QuotesInTheMannerOfTheFile) {
  const Table table = table_of("a,b\n\"x\",1\ny,2\n");
  EXPECT_EQ(replace_cells(table, {{0, 0, "z"}}), "a,b\n\"z\",1\ny,2\n");
  EXPECT_EQ(replace_cells(table, {{1, 0, "z, w"}}), "a,b\n\"x\",1\n\"z, w\",2\n");
  EXPECT_EQ(replace_cells(table, {{1, 0, "say \"hi\""}}), "a,b\n\"x\",1\n\"say \"\"hi\"\"\",2\n");
  EXPECT_EQ(replace_cells(table, {{1, 0, " z"}}), "a,b\n\"x\",1\n\" z\",2\n");
  EXPECT_EQ(replace_cells(table_of("'a','b'\n'c','d'\n'a','d'\n"), {{1, 1, "it's"}}),
            "'a','b'\n'c','it''s'\n'a','d'\n");
}

TEST(ReplaceCells, FillsEmptyCells) {
  EXPECT_EQ(replace_cells(table_of("a,b\n,\n1,2\n"), {{0, 0, "x"}, {0, 1, "y"}}),
            "a,b\nx,y\n1,2\n");
}

TEST(ReplaceCells, WorksInArffAndLibsvm) {
  const Table arff = table_of(
      "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n1,'x'\n2, y\n", {}, "r.arff");
  EXPECT_EQ(replace_cells(arff, {{0, 1, "y"}, {1, 1, "not x"}}),
            "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n1,'y'\n2, 'not x'\n");
  const Table libsvm = table_of("1 1:2 # one\n0 2:3\n", {}, "t.libsvm");
  EXPECT_EQ(replace_cells(libsvm, {{0, 0, "0"}, {1, 2, "4"}}), "0 1:2 # one\n0 2:4\n");
}

TEST(ReplaceCells, RefusesCellsThatAreNotThere) {
  const Table table = table_of("a,b\n1,2\n");
  EXPECT_TRUE(mentions(refusal([&] {
                         return replace_cells(table, {{1, 0, "x"}});
                       }),
                       "row 2, column 1"));
  EXPECT_TRUE(mentions(refusal([&] {
                         return replace_cells(table, {{0, 0, "x"}, {0, 0, "y"}});
                       }),
                       "replaced twice"));
  const Table libsvm = table_of("1 1:2\n0 2:3\n", {}, "t.libsvm");
  EXPECT_TRUE(mentions(refusal([&] {
                         return replace_cells(libsvm, {{0, 2, "5"}});
                       }),
                       "does not hold the cell"));
  EXPECT_TRUE(mentions(refusal([&] {
                         return replace_cells(libsvm, {{0, 0, "a b"}});
                       }),
                       "no quotes"));
}

}  // namespace
}  // namespace candor
