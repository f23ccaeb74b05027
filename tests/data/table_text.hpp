// SPDX-License-Identifier: MIT
// Tables written in the test, and the sentence of a refusal.
#pragma once

#include <candor/data/read_table.hpp>
#include <candor/data/table_error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace candor::testing_data {

inline Table table_of(std::string text, const ReadOptions& options = {},
                      std::string name = "table.csv") {
  return read_table(make_source(std::move(text), std::move(name)), options);
}

// What the TableError says; a failure where there is none.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const TableError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

inline std::vector<std::string> row_of(const Table& table, Index row) {
  std::vector<std::string> cells;
  for (Index column = 0; column < table.columns(); ++column)
    cells.push_back(table.cell(row, column));
  return cells;
}

inline std::vector<std::string> column_of(const Table& table, Index column) {
  std::vector<std::string> cells;
  for (Index row = 0; row < table.rows(); ++row) cells.push_back(table.cell(row, column));
  return cells;
}

// "x,y\n" and n lines from line(i).
template <class Line>
std::string lines_of(const std::string& header, int n, Line line) {
  std::string text = header + "\n";
  for (int i = 0; i < n; ++i) text.append(line(i)).append("\n");
  return text;
}

inline bool mentions(const std::string& sentence, const std::string& words) {
  return sentence.find(words) != std::string::npos;
}

inline bool any_mentions(const std::vector<std::string>& notes, const std::string& words) {
  for (const std::string& note : notes)
    if (mentions(note, words)) return true;
  return false;
}

}  // namespace candor::testing_data
