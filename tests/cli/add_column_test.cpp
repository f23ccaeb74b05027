// SPDX-License-Identifier: MIT
#include <apps/cli/add_column.hpp>

#include <candor/data/read_table.hpp>
#include <candor/data/table_error.hpp>

#include <gtest/gtest.h>

namespace candor::cli {
namespace {

std::string grown(const std::string& text, const std::vector<std::string>& values) {
  return add_column(read_table(make_source(text, "t.csv")), "truth", values);
}

TEST(AddColumn, KeepsEveryOtherByte) {
  EXPECT_EQ(grown("a,b\n1,x\n2,y\n", {"p", "q"}), "a,b,truth\n1,x,p\n2,y,q\n");
  EXPECT_EQ(grown("a;b\r\n1;x\r\n2;y", {"p", "q"}), "a;b;truth\r\n1;x;p\r\n2;y;q");
}

TEST(AddColumn, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(grown("a,b\n1,x\n2,y\n", {"p,q", "r"}), "a,b,truth\n1,x,\"p,q\"\n2,y,r\n");
}

TEST(AddColumn, GoesBehindQuotedCellsWithLineEnds) {
  EXPECT_EQ(grown("a,b\n1,\"x\nx\"\n2,y\n", {"p", "q"}), "a,b,truth\n1,\"x\nx\",p\n2,y,q\n");
}

TEST(AddColumn, SkipsBlankLines) {
  EXPECT_EQ(grown("a,b\n\n1,x\n\n2,y\n", {"p", "q"}), "a,b,truth\n\n1,x,p\n\n2,y,q\n");
}

TEST(AddColumn, RefusesANameThatIsTaken) {
  EXPECT_THROW((void)grown("a,truth\n1,x\n2,y\n", {"p", "q"}), TableError);
}

TEST(AddColumn, RefusesNamesAndRowsOfUnequalLength) {
  EXPECT_THROW((void)grown("a,b,\n1,x\n2,y\n", {"p", "q"}), TableError);
}

}  // namespace
}  // namespace candor::cli
