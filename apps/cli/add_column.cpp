// SPDX-License-Identifier: MIT
#include <apps/cli/add_column.hpp>

#include <candor/data/read_table.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/write.hpp>

#include <fmt/format.h>

namespace candor::cli {
namespace {

// Where the line of names ends: the first line end outside quotes before the first row.
std::size_t end_of_names(const Table& table) {
  const std::string& text = table.text();
  const std::size_t first_row = table.span(0, 0)->begin;
  std::size_t end = first_row;
  while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r' || text[end - 1] == ' ')) --end;
  return end;
}

// Reading back is the proof that the column is where it belongs.
void check_column(const std::string& text, const Table& table, const std::string& name,
                  const std::vector<std::string>& values) {
  ReadOptions options;
  options.delimiter = table.dialect().delimiter;
  options.header = table.dialect().header;
  options.format = TableFormat::delimited;
  const auto refuse = [&] {
    throw TableError(table.source() +
                     ": a column cannot be added, since names and rows differ in length");
  };
  try {
    const Table grown = read_table(make_source(text, table.source()), options);
    if (grown.rows() != table.rows() || grown.columns() != table.columns() + 1) refuse();
    if (table.dialect().header && grown.names().back() != name) refuse();
    for (Index row = 0; row < grown.rows(); ++row) {
      if (grown.cell(row, table.columns()) != values[static_cast<std::size_t>(row)]) refuse();
    }
  } catch (const TableError&) {
    refuse();
  }
}

}  // namespace

std::string add_column(const Table& table, const std::string& name,
                       const std::vector<std::string>& values) {
  if (table.dialect().format != TableFormat::delimited) {
    throw TableError(
        fmt::format("{}: the truth is kept in a further column, which only delimited text takes, "
                    "and this is {}: turn the table into CSV first",
                    table.source(), to_string(table.dialect().format)));
  }
  if (table.find(name)) {
    throw TableError(
        fmt::format("{} has a column {} already; name another with --truth", table.source(), name));
  }
  const std::string& text = table.text();
  std::string grown;
  std::size_t done = 0;
  const auto insert = [&](std::size_t where, const std::string& value) {
    grown.append(text, done, where - done);
    grown += table.dialect().delimiter + quote_cell(value, table.dialect());
    done = where;
  };
  if (table.dialect().header) insert(end_of_names(table), name);
  for (Index row = 0; row < table.rows(); ++row) {
    insert(table.span(row, table.columns() - 1)->end, values[static_cast<std::size_t>(row)]);
  }
  grown.append(text, done);
  check_column(grown, table, name, values);
  return grown;
}

}  // namespace candor::cli
