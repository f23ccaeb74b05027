// SPDX-License-Identifier: MIT
#include <candor/data/truth_column.hpp>

#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;

const char* const with_truth = "x,label,true_label\n1,a,a\n2,b,a\n3,b,b\n";

TEST(TruthColumn, IsLeftOutWithANoteUnlessAnOptionDecides) {
  const Table table = table_of(with_truth);
  SchemaOptions plain{.label = "label"};
  EXPECT_NE(leave_out_truth(table, plain).find("true_label"), std::string::npos);
  EXPECT_EQ(plain.ignore, std::vector<std::string>{"true_label"});
  SchemaOptions used{.label = "label", .use = {"3"}};
  EXPECT_EQ(leave_out_truth(table, used), "");
  EXPECT_TRUE(used.ignore.empty());
  SchemaOptions label{.label = "true_label"};
  EXPECT_EQ(leave_out_truth(table, label), "");
}

TEST(TruthColumn, OtherTablesStayAsTheyAre) {
  SchemaOptions options{.label = "label"};
  EXPECT_EQ(leave_out_truth(table_of("x,label\n1,a\n2,b\n"), options), "");
  EXPECT_TRUE(options.ignore.empty());
}

}  // namespace
}  // namespace candor
