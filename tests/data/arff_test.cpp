// SPDX-License-Identifier: MIT
#include "table_text.hpp"

#include <candor/data/schema.hpp>

namespace candor {
namespace {

using namespace testing_data;
using Cells = std::vector<std::string>;

const char* const weather =
    "% a comment\n@RELATION weather\n\n@attribute 'out look' {sunny, 'heavy rain',NA}\n"
    "@attribute temperature NUMERIC\n@attribute day date \"yyyy-MM-dd\"\n@attribute note string\n"
    "@ATTRIBUTE play {yes,no}\n@DATA\n% another\nsunny,21.5,2024-01-01,'it\\'s hot',yes\n"
    "'heavy rain',?,2024-01-02,\"wet, cold\",no\nNA,18,2024-01-03,fine,yes\n";

TEST(Arff, ReadsAttributesAndRows) {
  const Table table = table_of(weather, {}, "weather.arff");
  EXPECT_EQ(table.names(), (Cells{"out look", "temperature", "day", "note", "play"}));
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(row_of(table, 0), (Cells{"sunny", "21.5", "2024-01-01", "it's hot", "yes"}));
  EXPECT_EQ(row_of(table, 1), (Cells{"heavy rain", "?", "2024-01-02", "wet, cold", "no"}));
  EXPECT_TRUE(table.is_missing(1, 1));
  EXPECT_FALSE(table.is_missing(2, 0)) << "only ? is missing in ARFF";
  EXPECT_EQ(table.line(0), 11);
}

TEST(Arff, IsKnownByItsContentWhateverItsName) {
  EXPECT_EQ(table_of(weather, {}, "weather.csv").dialect().format, TableFormat::arff);
}

TEST(Arff, KeepsDeclaredCategoriesEvenIfTheyAreDigits) {
  const Table table =
      table_of("@relation r\n@attribute a {1,2,3}\n@attribute b real\n@data\n1,1\n2,2\n3,3\n1,4\n",
               {}, "r.arff");
  const Schema schema = infer_schema(table, {});
  EXPECT_EQ(schema.columns[0].kind, ColumnKind::category);
  EXPECT_EQ(schema.columns[1].kind, ColumnKind::number);
}

std::string refused(const std::string& text) {
  return refusal([&] { return table_of(text, {}, "r.arff"); });
}

TEST(Arff, RefusesWhatItCannotRead) {
  const std::string head = "@relation r\n@attribute a real\n@attribute b {x,y}\n";
  EXPECT_TRUE(mentions(refused(head), "no @data line"));
  EXPECT_TRUE(mentions(refused(head + "@data\n"), "no rows"));
  EXPECT_TRUE(mentions(refused(head + "@data\n{0 1, 1 x}\n"), "line 5: this row is sparse"));
  EXPECT_TRUE(mentions(refused(head + "@data\n1,x\n2\n"), "line 6 has 1"));
  EXPECT_TRUE(mentions(refused(head + "@data\n1,z\n"),
                       "line 5, column \"b\": \"z\" is not among the declared values"));
  EXPECT_TRUE(mentions(refused(head + "@data\n1,'x\n"), "line 5: a quote (') is never closed"));
  EXPECT_TRUE(mentions(refused(head + "1,x\n"), "neither @attribute nor @data"));
  EXPECT_TRUE(
      mentions(refused("@relation r\n@attribute a relational\n"), "has type \"relational\""));
  EXPECT_TRUE(mentions(refused("@relation r\n@attribute a {x,y\n"), "not closed by }"));
}

}  // namespace
}  // namespace candor
