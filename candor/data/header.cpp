// SPDX-License-Identifier: MIT
#include <candor/data/header.hpp>

#include <candor/data/number.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace candor {
namespace {

enum class CellKind { number, text, missing };

CellKind kind_of(const Head& head, std::size_t row, std::size_t column,
                 const MissingWords& missing) {
  if (column >= head[row].size()) return CellKind::missing;
  const std::string_view cell = trim(head[row][column]);
  if (missing.contains(cell)) return CellKind::missing;
  const bool number = parse_number(cell) || parse_number(cell, NumberStyle::decimal_comma);
  return number ? CellKind::number : CellKind::text;
}

// Are the rows from `first` on mostly numbers in this column, and at least `fewest`?
bool is_number_column(const Head& head, std::size_t column, std::size_t first, std::size_t fewest,
                      const MissingWords& missing) {
  std::size_t numbers = 0;
  std::size_t texts = 0;
  for (std::size_t row = first; row < head.size(); ++row) {
    const CellKind kind = kind_of(head, row, column, missing);
    numbers += kind == CellKind::number ? 1 : 0;
    texts += kind == CellKind::text ? 1 : 0;
  }
  return numbers >= fewest && numbers >= 4 * texts;
}

bool comes_again(const Head& head, std::size_t column) {
  for (std::size_t row = 1; row < head.size(); ++row)
    if (column < head[row].size() && head[row][column] == head[0][column]) return true;
  return false;
}

// Text, and no number, in at least two columns whose later rows are numbers, three of them or more.
bool is_name_line(const Head& head, std::size_t row, const MissingWords& missing) {
  std::size_t texts = 0;
  for (std::size_t column = 0; column < head[row].size(); ++column) {
    if (!is_number_column(head, column, row + 1, 3, missing)) continue;
    const CellKind kind = kind_of(head, row, column, missing);
    if (kind == CellKind::number) return false;
    texts += kind == CellKind::text ? 1 : 0;
  }
  return texts >= 2;
}

}  // namespace

bool has_header(const Head& head, const MissingWords& missing) {
  if (head.empty()) return false;
  bool text_above_numbers = false;
  bool repeated = false;
  std::size_t texts = 0;
  for (std::size_t column = 0; column < head[0].size(); ++column) {
    const CellKind kind = kind_of(head, 0, column, missing);
    if (kind == CellKind::number) return false;
    if (kind == CellKind::missing) continue;
    ++texts;
    repeated = repeated || comes_again(head, column);
    text_above_numbers = text_above_numbers || is_number_column(head, column, 1, 1, missing);
  }
  return texts > 0 && (text_above_numbers || !repeated);
}

std::size_t header_lines(const Head& head, const MissingWords& missing) {
  constexpr std::size_t most = 3;
  std::size_t lines = 1;
  while (lines < most && lines < head.size() && is_name_line(head, lines, missing)) ++lines;
  return lines;
}

std::string column_number_name(std::size_t column) { return fmt::format("column_{}", column + 1); }

std::vector<std::string> repair_names(std::vector<std::string> names,
                                      std::vector<std::string>& notes) {
  std::vector<std::string> unnamed;
  std::map<std::string, std::size_t> times;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      names[i] = column_number_name(i);
      unnamed.push_back(names[i]);
    }
    ++times[names[i]];
  }
  if (!unnamed.empty())
    notes.push_back(fmt::format("{} without a name: called {}",
                                counted(static_cast<Index>(unnamed.size()), "column"),
                                listed(unnamed)));
  std::map<std::string, std::size_t> seen;
  std::set<std::string> taken(names.begin(), names.end());
  for (std::string& name : names) {
    const std::string given = name;
    if (times[given] == 1) continue;
    // All of them change, so that no option can mean one of several by accident.
    do name = fmt::format("{} ({})", given, ++seen[given]);
    while (!taken.insert(name).second);
  }
  for (const auto& [name, count] : times)
    if (count > 1)
      notes.push_back(fmt::format("{} columns are called {}: now {} to {}", count, shown(name),
                                  shown(name + " (1)"),
                                  shown(fmt::format("{} ({})", name, seen[name]))));
  return names;
}

}  // namespace candor
