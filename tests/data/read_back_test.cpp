// SPDX-License-Identifier: MIT
// Random tables in random dialects: what is written is what is read, and replacing cells changes
// them only.
#include <candor/data/replace_cells.hpp>
#include <candor/data/write.hpp>

#include "table_text.hpp"

#include <random>

namespace candor {
namespace {

using namespace testing_data;
using Rows = std::vector<std::vector<std::string>>;

class RandomTable {
 public:
  explicit RandomTable(unsigned seed) : random_(seed) {
    dialect.delimiter = ",;\t|"[pick(4)];
    dialect.line_end = std::vector<std::string>{"\n", "\r\n", "\r"}[pick(3)];
    dialect.byte_order_mark = pick(4) == 0;
    final_line_end_ = pick(2) == 0;
    rows.resize(1 + pick(30));
    const std::size_t columns = 2 + pick(6);
    for (auto& row : rows)
      for (std::size_t i = 0; i < columns; ++i) row.push_back(cell());
    // A first cell that says nothing could look like a blank line.
    for (auto& row : rows) row[0] = "r" + row[0];
  }

  std::string text() {
    std::string out = dialect.byte_order_mark ? "\xEF\xBB\xBF" : "";
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      out += (i > 0 ? std::string(1, dialect.delimiter) : "") + "name" + std::to_string(i);
    for (const auto& row : rows) {
      out += dialect.line_end;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) out += dialect.delimiter;
        out += blanks() + quote_cell(row[i], dialect, pick(3) == 0) + blanks();
      }
    }
    return out + (final_line_end_ ? dialect.line_end : "");
  }

  std::string cell() {
    static const std::vector<std::string> pieces{"a",  "Z",    "7", ".", " ", "\"", ",", ";", "|",
                                                 "\n", "\r\n", "é", "'", "-", "\t", "€", "x"};
    std::string out;
    for (std::size_t n = pick(6); n > 0; --n) out += pieces[pick(pieces.size())];
    return out;
  }

  std::size_t pick(std::size_t n) { return random_() % n; }

  Dialect dialect;
  Rows rows;

 private:
  std::string blanks() { return std::string(pick(5) == 0 ? pick(3) : 0, ' '); }

  std::mt19937 random_;
  bool final_line_end_ = true;
};

Rows all_rows(const Table& table) {
  Rows rows;
  for (Index row = 0; row < table.rows(); ++row) rows.push_back(row_of(table, row));
  return rows;
}

class ReadBack : public testing::TestWithParam<unsigned> {};

TEST_P(ReadBack, GivesTheCellsThatWereWritten) {
  const unsigned seed = GetParam();
  SCOPED_TRACE(seed);
  RandomTable random(seed);
  const std::string text = random.text();
  const Table table = table_of(text, {.delimiter = random.dialect.delimiter, .header = true});
  EXPECT_EQ(all_rows(table), random.rows) << text;
  EXPECT_EQ(replace_cells(table, {}), text);
}

TEST_P(ReadBack, GivesReplacedCellsAndAllOthersAsTheyWere) {
  const unsigned seed = GetParam();
  SCOPED_TRACE(seed);
  RandomTable random(seed);
  const ReadOptions options{.delimiter = random.dialect.delimiter, .header = true};
  const Table table = table_of(random.text(), options);
  std::vector<Replacement> replacements;
  for (Index row = 0; row < table.rows(); ++row) {
    if (random.pick(3) != 0) continue;
    const auto column = static_cast<Index>(1 + random.pick(random.rows[0].size() - 1));
    replacements.push_back({row, column, random.cell()});
    random.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
        replacements.back().value;
  }
  const std::string text = replace_cells(table, replacements);
  EXPECT_EQ(all_rows(table_of(text, options)), random.rows) << text;
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReadBack, testing::Range(1U, 301U));

// The mutant: a writer that forgets to double quotes must not pass.
TEST(ReadBackLaw, CatchesAWriterThatForgetsQuotes) {
  bool caught = false;
  for (unsigned seed = 1; seed <= 50 && !caught; ++seed) {
    RandomTable random(seed);
    std::string text = "name0,name1";
    for (const auto& row : random.rows) text += "\n" + row[0] + "," + row[1];
    try {
      const Rows back = all_rows(table_of(text, {.delimiter = ',', .header = true}));
      for (std::size_t i = 0; i < back.size() && i < random.rows.size(); ++i)
        caught = caught || back[i][0] != random.rows[i][0] || back[i][1] != random.rows[i][1];
    } catch (const TableError&) {
      caught = true;
    }
  }
  EXPECT_TRUE(caught);
}

}  // namespace
}  // namespace candor
