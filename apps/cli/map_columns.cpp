// SPDX-License-Identifier: MIT
#include <apps/cli/map_columns.hpp>

#include <apps/cli/exit_code.hpp>

#include <candor/data/wording.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace candor::cli {
namespace {

std::string what_it_is(const Column& column) {
  if (column.role != ColumnRole::input) {
    return column.role == ColumnRole::ignored
               ? "not learned from"
               : fmt::format("the {} column", to_string(column.role));
  }
  return fmt::format("of kind {}", to_string(column.kind));
}

const std::string& number_column(const std::string& name, const Table& table,
                                 const Schema& schema) {
  const Index index = find_column(table, name, "--map");
  const Column& column = schema.columns[static_cast<std::size_t>(index)];
  if (column.role != ColumnRole::input || column.kind != ColumnKind::number) {
    std::vector<std::string> numbers;
    for (const Column& other : schema.columns) {
      if (other.role == ColumnRole::input && other.kind == ColumnKind::number) {
        numbers.push_back(shown(other.name));
      }
    }
    throw InvalidInput(fmt::format(
        "--map names column {}, which is {}: a map is drawn over two columns of numbers that are "
        "learned from ({})",
        shown(column.name), what_it_is(column),
        numbers.empty() ? "there are none" : listed(numbers, 12)));
  }
  return column.name;
}

}  // namespace

void add_map_option(CLI::App& command, std::vector<std::string>& columns) {
  command
      .add_option("--map", columns,
                  "Draw the report's map over these two columns of numbers; default: the page's "
                  "choice, and principal components")
      ->type_name("COLUMN,COLUMN")
      ->delimiter(',')
      ->allow_extra_args(false);
}

MapColumns map_columns(const std::vector<std::string>& columns, const Table& table,
                       const Schema& schema) {
  if (columns.empty()) return std::nullopt;
  if (columns.size() != 2) {
    throw UsageError(fmt::format(
        "--map names {}: it needs two, as in --map COLUMN,COLUMN or --map COLUMN --map COLUMN",
        counted(static_cast<Index>(columns.size()), "column")));
  }
  const std::string& x = number_column(columns[0], table, schema);
  const std::string& y = number_column(columns[1], table, schema);
  if (x == y) throw InvalidInput(fmt::format("--map names column {} twice", shown(x)));
  return std::pair{x, y};
}

}  // namespace candor::cli
