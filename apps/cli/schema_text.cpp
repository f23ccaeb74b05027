// SPDX-License-Identifier: MIT
#include <apps/cli/schema_text.hpp>

#include <fmt/format.h>

namespace candor::cli {
namespace {

std::string use_of(const Column& column) {
  if (column.role != ColumnRole::input) return std::string(to_string(column.role));
  return column.used() ? "input" : "not used";
}

std::string examples_of(const Column& column) {
  return fmt::format("{}", fmt::join(column.examples, ", "));
}

}  // namespace

Sheet schema_sheet(const Schema& schema) {
  Sheet sheet{{"column", "name", "kind", "use", "distinct", "missing", "examples", "note"}, {}};
  for (const Column& column : schema.columns) {
    sheet.rows.push_back({column.index + 1, column.name, to_string(column.kind), use_of(column),
                          column.distinct, column.missing, examples_of(column), column.note});
  }
  return sheet;
}

}  // namespace candor::cli
