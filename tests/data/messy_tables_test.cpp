// SPDX-License-Identifier: MIT
// Tables as people send them.  Each is read, with this many rows and columns and these kinds, or
// refused in these words.  Files under tests/data/tables are our own; those of
// ../shared/data/messy are real, and skipped where that folder is not there.
#include "table_text.hpp"

#include <candor/data/encoding.hpp>
#include <candor/data/replace_cells.hpp>
#include <candor/data/schema.hpp>

#include <gtest/gtest-spi.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace candor {
namespace {

using namespace testing_data;

struct Case {
  std::string file;
  Index rows = 0;
  // One letter per column: number, category, constant (=), identifier, date, empty (-).  Long
  // tables give the first columns only.
  std::string kinds;
  std::string note;     // words of one of the table's or schema's notes
  std::string refused;  // words of the refusal
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.file; }

char letter(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::number:
      return 'n';
    case ColumnKind::category:
      return 'c';
    case ColumnKind::constant:
      return '=';
    case ColumnKind::identifier:
      return 'i';
    case ColumnKind::date:
      return 'd';
    case ColumnKind::empty:
      return '-';
  }
  return '?';
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void check_read(const std::string& path, const Case& c) {
  const Table table = read_table(path);
  EXPECT_EQ(table.rows(), c.rows);
  const Schema schema = infer_schema(table, {});
  std::string kinds;
  for (const Column& column : schema.columns) kinds += letter(column.kind);
  EXPECT_EQ(kinds, c.kinds);
  std::vector<std::string> notes = table.notes();
  notes.insert(notes.end(), schema.notes.begin(), schema.notes.end());
  EXPECT_TRUE(c.note.empty() || any_mentions(notes, c.note)) << testing::PrintToString(notes);
  EXPECT_FALSE(encode(fit_encoder(table, schema), table).X.array().isInf().any());
  EXPECT_EQ(replace_cells(table, {}), bytes_of(path)) << "an untouched table changes";
}

void check(const std::string& path, const Case& c) {
  if (c.refused.empty()) {
    check_read(path, c);
    return;
  }
  const std::string sentence = refusal([&] { return infer_schema(read_table(path), {}); });
  EXPECT_TRUE(mentions(sentence, c.refused)) << sentence;
}

class LookAlikes : public testing::TestWithParam<Case> {};

TEST_P(LookAlikes, AreReadOrRefusedAsStated) {
  check("tests/data/tables/" + GetParam().file, GetParam());
}

const std::vector<Case> look_alikes = {
    {"bom_crlf.csv", 20, "cnn", "", ""},
    {"bom_noheader.csv", 21, "nnn", "", ""},
    {"comma_blank_noheader.csv", 30, "ncnccnc", "", ""},
    {"cr_only.csv", 25, "nnnn", "", ""},
    {"crlf_noheader.csv", 30, "nnnnn", "", ""},
    {"decimal_comma.csv", 20, "nnc", "decimal comma", ""},
    {"dot_labels.csv", 30, "ncnccnc", "", ""},
    {"empty_dup_headers.csv", 20, "cdndc---", "3 columns without a name", ""},
    {"latin1_crlf.csv", 0, "", "", "line 2, column 22: byte 0xF1 is not UTF-8"},
    {"latin1_semicolon.csv", 0, "", "", "line 1, column 14: byte 0xF1 is not UTF-8"},
    {"nbsp_latin1.csv", 0, "", "", "line 2, column 11: byte 0xA0 is not UTF-8"},
    {"qmark_mixed.csv", 30, "nnccncn", "", ""},
    {"qmark_noheader.csv", 30, "nnnnnn", "", ""},
    {"quoted_crlf.csv", 30, "inicnc", "taken for an identifier", ""},
    {"quoted_missing.csv", 30, "=nc=idncc", "every cell holds", ""},
    {"rownames.csv", 20, "innc", "row names", ""},
    {"semicolon_quoted.csv", 25, "ncnc", "", ""},
    {"shifted_row.csv", 0, "", "", "line 14 has 4"},
    {"single_quotes.csv", 25, "cccnc", "", ""},
    {"trailing_comma.csv", 25, "icnn", "ends in a delimiter", ""},
    {"two_row_header.csv", 0, "", "", "lines 1 to 2 all look like column names"},
    {"weather.arff", 15, "cnnc", "", ""},
};
INSTANTIATE_TEST_SUITE_P(Tables, LookAlikes, testing::ValuesIn(look_alikes));

TEST(LookAlikeFolder, HoldsNoFileThatIsNotTested) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/data/tables"))
    files += entry.path().filename().string().starts_with(".") ? 0 : 1;
  EXPECT_EQ(files, look_alikes.size());
}

// The mutants: every statement that is wrong about a table must fail.
TEST(LookAlikeFolder, AWrongStatementAboutATableFails) {
  const std::string read = "tests/data/tables/bom_crlf.csv";
  EXPECT_NONFATAL_FAILURE(check(read, {"", 21, "cnn", "", ""}), "c.rows");
  EXPECT_NONFATAL_FAILURE(check(read, {"", 20, "ccn", "", ""}), "c.kinds");
  EXPECT_NONFATAL_FAILURE(check(read, {"", 20, "cnn", "never said", ""}), "c.note");
  EXPECT_NONFATAL_FAILURE(
      check("tests/data/tables/shifted_row.csv", {"", 0, "", "", "line 13 has 4"}),
      "line 14 has 4");
}

class RealTables : public testing::TestWithParam<Case> {};

TEST_P(RealTables, AreReadOrRefusedAsStated) {
  const std::string path = "../shared/data/messy/" + GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  check(path, GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Tables, RealTables,
    testing::ValuesIn(std::vector<Case>{
        {"adult_raw_comma_space.csv", 401,
         "ncncnccccc"
         "nnncc",
         "", ""},
        {"adult_test_raw_dot_labels.csv", 401,
         "ncncnccccc"
         "nnncc",
         "", ""},
        {"auto_imports_qmark_mixed.csv", 201, "nncccccccnnnnnccncnnnnnnnn", "", ""},
        {"bank_semicolon_quoted.csv", 1000,
         "nccccnccc"
         "ncnnnncc",
         "", ""},
        {"bankchurn_latin1_crlf.csv", 0, "", "", "line 2, column 60: byte 0xF1 is not UTF-8"},
        {"bike_empty_dup_headers.csv", 56, "cdndnnnnc----", "4 columns without a name", ""},
        {"breast_cancer_single_quotes.csv", 286, "cccccncccc", "", ""},
        {"cleveland_crlf_noheader.csv", 303, "nnnnnnnnnnnnnn", "", ""},
        {"crops_latin1_semicolon.csv", 0, "", "", "line 1, column 14: byte 0xF1 is not UTF-8"},
        {"fish_bom_crlf.csv", 159, "cnnnnnn", "", ""},
        {"framingham_cr_only.csv", 4240, "nnnnnnnnnnnnnnnn", "", ""},
        {"googleplay_shifted_row.csv", 0, "", "", "line 32 has 12"},
        {"horse_colic_qmark_noheader.csv", 300, "nnnnnnnnnnnnnnnnnnnnnnnnnnnn", "", ""},
        {"labor.arff", 57,
         "nnnncncnnc"
         "ncccccc",
         "", ""},
        {"nba_nbsp_latin1.csv", 0, "", "", "line 2, column 22: byte 0xA0 is not UTF-8"},
        {"penguins_quoted_missing.csv", 344,
         "cnc=c=ccdn"
         "nnncnnc",
         "every cell holds", ""},
        {"rownames_ragged.csv", 96, "innnnnn", "row names", ""},
        {"seeds_bom_noheader.csv", 210, "nnnnnnnn", "", ""},
        {"titanic_quoted_crlf.csv", 891, "innicnnncncc", "taken as categories", ""},
        {"two_row_header_dup.csv", 0, "", "", "lines 1 to 2 all look like column names"},
        {"wdbc_trailing_comma.csv", 569, "icnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", "ends in a delimiter",
         ""},
    }));

}  // namespace
}  // namespace candor
