// SPDX-License-Identifier: MIT
#include <candor/data/schema.hpp>

#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;

// A table of column x under test beside a plain number, n rows.
template <class Cell>
Table column_table(int n, Cell cell, const ReadOptions& options = {}) {
  return table_of(
      lines_of("x;other", n,
               [&](int i) { return std::string(cell(i)) + ";" + std::to_string(i % 7) + ".5"; }),
      options);
}

template <class Cell>
Column column_kind(int n, Cell cell, const SchemaOptions& options = {}) {
  return infer_schema(column_table(n, cell), options).columns[0];
}

TEST(Schema, KnowsTheKindOfAColumn) {
  EXPECT_EQ(column_kind(30, [](int i) { return std::to_string(i * i % 11); }).kind,
            ColumnKind::number);
  EXPECT_EQ(column_kind(30, [](int i) { return i % 2 == 0 ? "a" : "b"; }).kind,
            ColumnKind::category);
  EXPECT_EQ(column_kind(30, [](int) { return "a"; }).kind, ColumnKind::constant);
  EXPECT_EQ(column_kind(30, [](int) { return "NA"; }).kind, ColumnKind::empty);
  EXPECT_EQ(column_kind(30, [](int i) { return "name" + std::to_string(i); }).kind,
            ColumnKind::identifier);
  EXPECT_EQ(column_kind(30, [](int i) { return std::to_string(100 + i); }).kind,
            ColumnKind::identifier);
  EXPECT_EQ(column_kind(28, [](int i) { return "2024-01-" + std::to_string(i + 1); }).kind,
            ColumnKind::date);
}

TEST(Schema, CountsDistinctAndMissingCellsAndShowsExamples) {
  const Column column =
      column_kind(30, [](int i) { return i % 10 == 0 ? "?" : std::to_string(i % 3); });
  EXPECT_EQ(column.missing, 3);
  EXPECT_EQ(column.distinct, 3);
  EXPECT_EQ(column.examples, (std::vector<std::string>{"1", "2", "0"}));
  EXPECT_EQ(
      column_kind(30, [](int i) { return i % 2 == 0 ? "1" : (i % 3 == 0 ? "1.0" : "2"); }).distinct,
      2);
}

TEST(Schema, IntegersOfFewValuesStayNumbers) {
  EXPECT_EQ(column_kind(30, [](int i) { return std::to_string(i % 3); }).kind, ColumnKind::number);
}

TEST(Schema, OneValueAndMissingCellsAreTwoCategories) {
  const Column column = column_kind(30, [](int i) { return i % 2 == 0 ? "1" : ""; });
  EXPECT_EQ(column.kind, ColumnKind::category);
  EXPECT_TRUE(mentions(column.note, "or is missing"));
}

TEST(Schema, ASingleTypoInANumberColumnIsRefusedWithItsLine) {
  const std::string sentence = refusal([] {
    return column_kind(100, [](int i) { return i == 41 ? "12O" : std::to_string(i % 9); });
  });
  EXPECT_TRUE(mentions(sentence, "99 of 100 cells")) << sentence;
  EXPECT_TRUE(mentions(sentence, "line 43 holds \"12O\"")) << sentence;
  EXPECT_TRUE(mentions(sentence, "--na")) << sentence;
}

TEST(Schema, NamesAllColumnsWithTyposAtOnce) {
  const Table table = table_of(lines_of("x,y,z", 40, [](int i) {
    return i == 5 ? std::string("none,none,1")
                  : std::to_string(i % 9) + "," + std::to_string(i % 7) + ",2";
  }));
  const std::string sentence = refusal([&] { return infer_schema(table, {}); });
  EXPECT_TRUE(mentions(sentence, "say with --na that \"none\" means missing")) << sentence;
  EXPECT_TRUE(mentions(sentence, "the same holds for \"y\"")) << sentence;
}

TEST(Schema, InfinityAndOverflowInANumberColumnAreRefusedWithTheirLine) {
  for (const std::string odd : {"inf", "1e999"}) {
    const std::string sentence = refusal([&] {
      return column_kind(100, [&](int i) { return i == 41 ? odd : std::to_string(i % 9); });
    });
    EXPECT_TRUE(mentions(sentence, "line 43 holds \"" + odd)) << sentence;
  }
}

TEST(Schema, ATypoDoesNotMatterInAColumnThatIsNoInput) {
  const auto cell = [](int i) { return i == 41 ? "12O" : std::to_string(i % 9); };
  EXPECT_NO_THROW(column_kind(100, cell, {.ignore = {"x"}}));
  EXPECT_EQ(column_kind(100, cell, {.categorical = {"x"}}).kind, ColumnKind::category);
}

TEST(Schema, ManyWordsAmongNumbersMakeCategoriesAndANote) {
  const Column column =
      column_kind(100, [](int i) { return i % 4 == 0 ? "A/5" : std::to_string(i % 9); });
  EXPECT_EQ(column.kind, ColumnKind::category);
  EXPECT_TRUE(mentions(column.note, "75 of 100 cells are numbers, but line 2 holds \"A/5\""));
}

TEST(Schema, UsesIdentifiersAndDatesWhenAsked) {
  const auto name = [](int i) { return "name" + std::to_string(i); };
  EXPECT_EQ(column_kind(30, name, {.use = {"x"}}).kind, ColumnKind::category);
  const auto number = [](int i) { return std::to_string(i); };
  EXPECT_EQ(column_kind(30, number, {.use = {"x"}}).kind, ColumnKind::number);
}

TEST(Schema, ReadsDecimalCommasInSemicolonFiles) {
  const Column column = column_kind(30, [](int i) { return std::to_string(i % 9) + ",5"; });
  EXPECT_EQ(column.kind, ColumnKind::number);
  EXPECT_EQ(column.style, NumberStyle::decimal_comma);
}

TEST(Schema, ReadsThousandsInQuotesAndWarnsWhereMarksAreAmbiguous) {
  const Table table = table_of(lines_of("x,y", 12, [](int i) {
    return "\"" + std::to_string(1 + i % 9) + ",000\"," + std::to_string(i % 5);
  }));
  EXPECT_EQ(infer_schema(table, {}).columns[0].style, NumberStyle::thousands_comma);
  EXPECT_TRUE(
      mentions(column_kind(30, [](int i) { return std::to_string(1 + i % 9) + ",250"; }).note,
               "if they group thousands"));
  EXPECT_TRUE(mentions(
      column_kind(30, [](int i) { return i % 2 == 0 ? "750" : std::to_string(1 + i % 9) + ".000"; })
          .note,
      "look like thousands marks"));
}

TEST(Schema, NotesPlaceholdersAndDoesNotGuess) {
  const Column column =
      column_kind(60, [](int i) { return i % 20 == 0 ? "-999" : std::to_string(i % 9); });
  EXPECT_EQ(column.missing, 0);
  EXPECT_TRUE(mentions(column.note, "3 cells hold -999"));
  // Among numbers of both signs a code is told by its distance alone.
  const auto beside_negative = [](const std::string& code) {
    return column_kind(
               60,
               [&](int i) { return i % 20 == 0 ? code : std::to_string(i * i % 11 - 5) + ".5"; })
        .note;
  };
  EXPECT_TRUE(mentions(beside_negative("-999"), "3 cells hold -999"));
  EXPECT_EQ(beside_negative("-9"), "");
}

TEST(Schema, NotesCategoriesOfManyLevels) {
  const Column column = column_kind(200, [](int i) { return "c" + std::to_string(i % 70); });
  EXPECT_EQ(column.kind, ColumnKind::category);
  EXPECT_TRUE(mentions(column.note, "70 different values"));
}

TEST(Schema, GivesRolesByNameAndByNumber) {
  const Table table = table_of("id,x,y,t,w,z\n1,2,a,1,1,0\n2,3,b,0,1,0\n4,5,a,0,2,1\n");
  const Schema schema = infer_schema(
      table, {.label = "y", .id = "1", .trusted = "t", .weight = "w", .ignore = {"z"}});
  EXPECT_EQ(schema.with_role(ColumnRole::label), 2);
  EXPECT_EQ(schema.with_role(ColumnRole::id), 0);
  EXPECT_EQ(schema.with_role(ColumnRole::trusted), 3);
  EXPECT_EQ(schema.with_role(ColumnRole::weight), 4);
  EXPECT_EQ(schema.with_role(ColumnRole::ignored), 5);
  EXPECT_EQ(schema.with_role(ColumnRole::input), 1);
}

TEST(Schema, SuggestsTheNearestName) {
  const Table table = table_of("species,island\na,1\nb,2\n");
  EXPECT_TRUE(mentions(
      refusal([&] { return find_column(table, "speceis", "--label"); }),
      "--label names \"speceis\", and there is no such column: did you mean \"species\"?"));
  EXPECT_TRUE(mentions(refusal([&] { return find_column(table, "zzzzzzzzzz", "--label"); }),
                       "the columns are \"species\" and \"island\""));
  const Table hostile = table_of(
      "a\x1B[2J,b\xC2\x9B"
      "2J,\xC2\xA9\n1,1,1\n2,2,2\n");
  EXPECT_TRUE(mentions(refusal([&] { return find_column(hostile, "zzzzzzzzzz", "--label"); }),
                       "the columns are \"a\\x1B[2J\", \"b\\x9B2J\" and \"\xC2\xA9\""));
  EXPECT_TRUE(
      mentions(refusal([&] { return find_column(table, "9", "--label"); }), "counted from 1 to"));
  const Table nameless = table_of("1,2\n3,4\n");
  EXPECT_TRUE(mentions(refusal([&] { return find_column(nameless, "y", "--label"); }),
                       "read as having no line of names"));
}

TEST(Schema, RefusesTwoRolesForOneColumnAndTablesWithoutInputs) {
  const Table table = table_of("x,y\n1,a\n2,b\n");
  EXPECT_TRUE(mentions(refusal([&] { return infer_schema(table, {.label = "y", .id = "y"}); }),
                       "a column has one role"));
  EXPECT_TRUE(
      mentions(refusal([&] { return infer_schema(table, {.label = "y", .ignore = {"x"}}); }),
               "no column is left to learn from"));
}

TEST(Schema, SaysOnceWhatHoldsForManyColumns) {
  const Table table = table_of("a,b,c,d\n1,1,1,1\n1,1,1,2\n1,1,1,3\n");
  const Schema schema = infer_schema(table, {});
  ASSERT_EQ(schema.notes.size(), 1U);
  EXPECT_EQ(schema.notes[0],
            "columns \"a\", \"b\" and \"c\": every cell holds the same value: not used");
}

// A label of so many different numbers.
Table numeric_label(int values, const std::string& ending) {
  return table_of(lines_of("x,y", 3 * values, [&](int i) {
    return std::to_string(i % 7) + "," + std::to_string(i % values) + ending;
  }));
}

TEST(Schema, RefusesALabelThatIsAQuantity) {
  EXPECT_NO_THROW((void)infer_schema(numeric_label(20, ""), {.label = "y"}));
  EXPECT_NO_THROW((void)infer_schema(numeric_label(10, ".5"), {.label = "y"}));
  for (const auto& [values, ending] : {std::pair(21, ""), std::pair(11, ".5")}) {
    const Table table = numeric_label(values, ending);
    const std::string sentence = refusal([&] { return infer_schema(table, {.label = "y"}); });
    EXPECT_TRUE(mentions(sentence, std::to_string(values) + " different numbers")) << sentence;
    EXPECT_TRUE(mentions(sentence, "--categorical")) << sentence;
    EXPECT_NO_THROW((void)infer_schema(table, {.label = "y", .categorical = {"y"}}));
  }
}

TEST(Schema, NotesTheFirstIdThatComesTwice) {
  const Table table = table_of("who,x,y\nan,1,a\nbo,2,b\ncy,3,a\nbo,4,b\n");
  EXPECT_TRUE(any_mentions(infer_schema(table, {.label = "y", .id = "who"}).notes,
                           "column \"who\": \"bo\" is in lines 3 and 5"));
  const Table unique = table_of("who,x,y\nan,1,a\nbo,2,b\ncy,3,a\n,4,b\n");
  EXPECT_TRUE(infer_schema(unique, {.label = "y", .id = "who"}).notes.empty());
}

// Column y is the label; column x holds it too, but in the first `different` of 40 rows.
Schema beside_the_label(int different, const SchemaOptions& options = {.label = "y"}) {
  return infer_schema(table_of(lines_of("x,z,y", 40,
                                        [&](int i) {
                                          const std::string y(1, "ab"[i % 2]);
                                          return (i < different ? "ba"[i % 2] : y[0]) +
                                                 ("," + std::to_string(i % 7)) + "," + y;
                                        })),
                      options);
}

TEST(Schema, LeavesOutACopyOfTheLabelUnlessAsked) {
  EXPECT_EQ(beside_the_label(4).columns[0].role, ColumnRole::ignored);
  EXPECT_TRUE(any_mentions(beside_the_label(4).notes,
                           "column \"x\": holds the label's values, and "
                           "in 90 % of rows the label: taken for a copy"));
  EXPECT_TRUE(beside_the_label(4, {.label = "y", .use = {"x"}}).columns[0].used());
  EXPECT_TRUE(beside_the_label(8).columns[0].used());
  EXPECT_TRUE(
      any_mentions(beside_the_label(8).notes, "in 80 % of rows the label: if it is a copy"));
  EXPECT_TRUE(beside_the_label(14).notes.empty());
}

TEST(Schema, KnowsACopyOfTheLabelByItsNumbersAndInSpiteOfATypo) {
  const Table table = table_of(lines_of("x,z,y", 40, [](int i) {
    const std::string y = std::to_string(i % 2);
    return (i == 7 ? "2.5" : y + ".0") + "," + std::to_string(i % 7) + "," + y;
  }));
  EXPECT_EQ(infer_schema(table, {.label = "y"}).columns[0].role, ColumnRole::ignored);
}

// Of 100 rows 4 are of the rare class, and 4 others hold a 1: 92 agree.
TEST(Schema, DoesNotTakeARareFlagForACopyOfARareClass) {
  const Table table = table_of(lines_of("flag,z,y", 100, [](int i) {
    return std::string(i % 25 == 1 ? "1," : "0,") + std::to_string(i % 7) +
           (i % 25 == 0 ? ",1" : ",0");
  }));
  const Schema schema = infer_schema(table, {.label = "y"});
  EXPECT_TRUE(schema.columns[0].used());
  EXPECT_TRUE(schema.notes.empty());
}

}  // namespace
}  // namespace candor
