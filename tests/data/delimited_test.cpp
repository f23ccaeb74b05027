// SPDX-License-Identifier: MIT
#include "table_text.hpp"

namespace candor {
namespace {

using namespace testing_data;
using Cells = std::vector<std::string>;

TEST(Delimited, ReadsNamesAndCells) {
  const Table table = table_of("a,b,c\n1,x,2\n3,y,4\n");
  EXPECT_EQ(table.names(), (Cells{"a", "b", "c"}));
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(row_of(table, 1), (Cells{"3", "y", "4"}));
  EXPECT_TRUE(table.notes().empty());
}

TEST(Delimited, FindsEveryDelimiterAndLineEnd) {
  for (const std::string delimiter : {",", ";", "\t", "|"})
    for (const std::string end : {"\n", "\r\n", "\r"})
      for (const bool last : {true, false}) {
        std::string text;
        for (const char* line : {"a,b", "1,x", "2,y"}) {
          if (!text.empty()) text += end;
          text.append(line).replace(text.size() - 2, 1, delimiter);
        }
        if (last) text += end;
        const Table table = table_of(text);
        EXPECT_EQ(table.dialect().delimiter, delimiter[0]);
        EXPECT_EQ(table.dialect().line_end, end);
        ASSERT_EQ(table.rows(), 2) << text;
        EXPECT_EQ(row_of(table, 1), (Cells{"2", "y"}));
      }
}

TEST(Delimited, PrefersSemicolonsToDecimalCommas) {
  const Table table = table_of("1,5;2,5;a\n1,0;3,5;b\n");
  EXPECT_EQ(table.dialect().delimiter, ';');
  EXPECT_EQ(row_of(table, 0), (Cells{"1,5", "2,5", "a"}));
}

TEST(Delimited, TakesADelimiterThatIsGiven) {
  const Table table = table_of("a:b\n1:2\n", {.delimiter = ':'});
  EXPECT_EQ(row_of(table, 0), (Cells{"1", "2"}));
}

TEST(Delimited, ReadsQuotesWithDelimitersLineEndsAndDoubledQuotes) {
  const Table table =
      table_of("name,x\n\"Braund, Mr. \"\"Owen\"\"\",1\n\"two\r\nlines\",2\nplain,3\n");
  EXPECT_EQ(column_of(table, 0), (Cells{"Braund, Mr. \"Owen\"", "two\r\nlines", "plain"}));
  EXPECT_EQ(table.line(0), 2);
  EXPECT_EQ(table.line(1), 3);
  EXPECT_EQ(table.line(2), 5);  // the quoted line end counts
}

TEST(Delimited, ReadsSingleQuotesWhereTheFilePlainlyUsesThem) {
  const Table table = table_of("'40-49','a, b',1\n'50-59','it''s',2\n'40-49',nan,3\n");
  EXPECT_EQ(table.dialect().quote, '\'');
  EXPECT_EQ(row_of(table, 1), (Cells{"50-59", "it's", "2"}));
  EXPECT_EQ(row_of(table, 0), (Cells{"40-49", "a, b", "1"}));
  EXPECT_TRUE(table.is_missing(2, 1));
}

TEST(Delimited, LeavesApostrophesAlone) {
  const Table table = table_of("name,x\nO'Brien,1\nD'Arcy,2\n'tis,3\n" +
                               lines_of("Smith,4", 20, [](int) { return "Smith,5"; }));
  EXPECT_EQ(table.dialect().quote, '"');
  EXPECT_EQ(table.cell(2, 0), "'tis");
}

TEST(Delimited, TrimsBlanksAroundValuesAndKeepsThemInQuotes) {
  const Table table = table_of("a, b ,c\n1,  x  , \" y \"\n2,z,w\n");
  EXPECT_EQ(table.names(), (Cells{"a", "b", "c"}));
  EXPECT_EQ(row_of(table, 0), (Cells{"1", "x", " y "}));
}

TEST(Delimited, TellsAHeaderFromARow) {
  EXPECT_TRUE(table_of("x,y\n1,2\n3,4\n").dialect().header);
  EXPECT_FALSE(table_of("1,2\n3,4\n").dialect().header);
  EXPECT_FALSE(table_of("1.5,a\n2.5,b\n").dialect().header);
  EXPECT_TRUE(table_of("colour,size\nred,big\nblue,small\nred,small\n").dialect().header);
  EXPECT_FALSE(table_of("red,big\nblue,small\nred,small\n").dialect().header);
}

TEST(Delimited, ObeysWhatIsSaidAboutTheHeader) {
  EXPECT_EQ(table_of("x,y\n1,2\n", {.header = false}).rows(), 2);
  EXPECT_EQ(table_of("x,y\n1,2\n", {.header = false}).names(), (Cells{"column_1", "column_2"}));
  EXPECT_EQ(table_of("id,2019\n1,2\n", {.header = true}).names(), (Cells{"id", "2019"}));
}

TEST(Delimited, RenamesEmptyAndRepeatedNamesAndSaysSo) {
  const Table table = table_of("x,,x,y,y (1)\n1,2,3,4,5\n");
  EXPECT_EQ(table.names(), (Cells{"x (1)", "column_2", "x (2)", "y", "y (1)"}));
  EXPECT_TRUE(any_mentions(table.notes(), "without a name: called column_2"));
  EXPECT_TRUE(any_mentions(table.notes(), "2 columns are called \"x\""));
  EXPECT_EQ(table_of("x,x,x (1)\n1,2,3\n").names(), (Cells{"x (2)", "x (3)", "x (1)"}));
}

TEST(Delimited, NotesATrailingDelimiterOfTheHeaderOrOfAllRows) {
  const Table header_only = table_of("a,b,\n1,2\n3,4\n");
  EXPECT_EQ(header_only.columns(), 2);
  EXPECT_TRUE(any_mentions(header_only.notes(), "ends in a delimiter"));
  const Table rows_only = table_of("a,b\n1,2,\n3,4,\n");
  EXPECT_EQ(rows_only.names(), (Cells{"a", "b", "column_3"}));
  EXPECT_TRUE(any_mentions(rows_only.notes(), "every row ends in a delimiter"));
}

TEST(Delimited, TakesRowNamesAsRWritesThem) {
  const Table table = table_of("\"x\",\"y\"\n\"1\",2,3\n\"2\",4,5\n");
  EXPECT_EQ(table.names(), (Cells{"row_name", "x", "y"}));
  EXPECT_TRUE(any_mentions(table.notes(), "row names"));
}

TEST(Delimited, NamesTheFirstFiveRaggedLinesAndCountsThemAll) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 20; ++i) text += i % 3 == 1 ? "1,2\n" : "1,2,3\n";
  const std::string sentence = refusal([&] { return table_of(text); });
  EXPECT_TRUE(mentions(sentence, "7 rows differ where 3 cells are expected")) << sentence;
  EXPECT_TRUE(mentions(sentence, "line 3 has 2, line 6 has 2, line 9 has 2, line 12 has 2"))
      << sentence;
  EXPECT_TRUE(mentions(sentence, "line 15 has 2, and 2 more")) << sentence;
  EXPECT_FALSE(mentions(sentence, "line 18")) << sentence;
}

TEST(Delimited, BelievesTheLineOfNamesWhereAsManyRowsAreShort) {
  const std::string sentence = refusal([] { return table_of("x,z,y\n1,1,a\n2,b\n3,b\n4,4,b\n"); });
  EXPECT_TRUE(mentions(sentence, "2 rows differ where 3 cells are expected: line 3 has 2"))
      << sentence;
}

TEST(Delimited, NamesTheLineWhereAQuoteOpensThatNeverCloses) {
  const std::string sentence = refusal([] { return table_of("a,b\n1,2\n3,\"x\n5,6\n7,8\n"); });
  EXPECT_TRUE(mentions(sentence, "line 3: a quote (\") opens here")) << sentence;
}

TEST(Delimited, RefusesTextAfterAClosingQuote) {
  const std::string sentence = refusal([] { return table_of("a,b\n1,2\n3,\"x\"y\n"); });
  EXPECT_TRUE(mentions(sentence, "line 3: text follows the closing quote")) << sentence;
}

TEST(Delimited, RefusesEmptyFilesHeadersWithoutRowsAndSingleColumns) {
  EXPECT_TRUE(mentions(refusal([] { return table_of(""); }), "is empty"));
  EXPECT_TRUE(mentions(refusal([] { return table_of(" \n\n"); }), "is empty"));
  EXPECT_TRUE(mentions(refusal([] { return table_of("\xEF\xBB\xBF"); }), "is empty"));
  EXPECT_TRUE(mentions(refusal([] { return table_of("a,b\n"); }), "no rows"));
  EXPECT_TRUE(mentions(refusal([] { return table_of("a\n1\n2\n"); }), "one column only"));
}

TEST(Delimited, RefusesTwoLinesOfNames) {
  const std::string sentence =
      refusal([] { return table_of("height,weight,sex\ncm,kg,\n180,80,m\n170,70,f\n160,60,f\n"); });
  EXPECT_TRUE(mentions(sentence, "lines 1 to 2 all look like column names")) << sentence;
}

TEST(Delimited, TakesOneLineOfNamesWhereThatIsTold) {
  const std::string text = "a,b,label\nmany,few,x\n1,2,x\n3,4,y\n5,6,y\n";
  EXPECT_TRUE(mentions(refusal([&] { return table_of(text); }), "say with --header"));
  EXPECT_EQ(table_of(text, {.header = true}).rows(), 4);
}

TEST(Delimited, SkipsBlankLinesAndCountsLinesOfTheFile) {
  const Table table = table_of("\na,b\n1,2\n\n  \n3,4\n\n\n");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.line(0), 3);
  EXPECT_EQ(table.line(1), 6);
  EXPECT_TRUE(any_mentions(table.notes(), "2 blank lines between rows"));
  EXPECT_TRUE(table_of("a,b\n1,2\n\n\n").notes().empty());
}

TEST(Delimited, KeepsRowsOfEmptyCells) {
  const Table table = table_of("a,b\n1,2\n,\n3,4\n");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_TRUE(table.is_missing(1, 0));
}

TEST(Delimited, ReadsRowsLongerThanSixtyFourKibibytes) {
  const std::string wide(70'000, 'w');
  const Table table = table_of("a,b,c\n1,x,2\n3," + wide + ",4\n5,y,6\n");
  EXPECT_EQ(table.cell(1, 1), wide);
  EXPECT_EQ(row_of(table, 0), (Cells{"1", "x", "2"}));
  EXPECT_EQ(row_of(table, 2), (Cells{"5", "y", "6"}));
}

TEST(Delimited, DescribesItsDialect) {
  EXPECT_EQ(describe(table_of("\xEF\xBB\xBF"
                              "a;b\r\n1;2\r\n")
                         .dialect()),
            "semicolon-separated, header, CRLF line ends, byte order mark");
}

TEST(Missing, KnowsTheUsualWordsAndNoPlaceholders) {
  const MissingWords words;
  for (const char* word : {"", "NA", "N/A", "nan", "NaN", "null", "NULL", "None", "?", "."})
    EXPECT_TRUE(words.contains(word)) << word;
  for (const char* word : {"-999", "9999", "none", "unknown", "-", "0"})
    EXPECT_FALSE(words.contains(word)) << word;
}

TEST(Missing, TheUsersWordsStandBesideTheUsualOnesOrAloneButEmptyStaysMissing) {
  for (const bool alone : {false, true}) {
    const Table table =
        table_of("a,b\nNA,-999\n,2\n", {.missing = {.words = {"-999"}, .only_these = alone}});
    EXPECT_EQ(table.is_missing(0, 0), !alone);
    EXPECT_TRUE(table.is_missing(0, 1));
    EXPECT_TRUE(table.is_missing(1, 0));
  }
}

}  // namespace
}  // namespace candor
