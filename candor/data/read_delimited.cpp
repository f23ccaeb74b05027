// SPDX-License-Identifier: MIT
#include <candor/data/header.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/ragged.hpp>
#include <candor/data/read_table.hpp>
#include <candor/data/record_scan.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

constexpr std::size_t head_rows = 200;

std::vector<std::string> read_values(RecordScan& scan, std::string_view text,
                                     const Dialect& dialect) {
  std::vector<std::string> values;
  std::string scratch;
  std::size_t begin = scan.offset();
  scan.next_record([&](std::size_t end) {
    values.emplace_back(unquote(text.substr(begin, end - begin), dialect, scratch));
    begin = end + 1;
  });
  return values;
}

Head read_head(const Source& source, const Dialect& dialect) {
  RecordScan scan(source.text, dialect, source.name);
  Head head;
  for (scan.skip_blank_lines(); !scan.at_end() && head.size() < head_rows; scan.skip_blank_lines())
    head.push_back(read_values(scan, source.text, dialect));
  return head;
}

void check_head(const Head& head, const MissingWords& missing, const std::string& name,
                bool header_is_told) {
  if (head.empty()) throw TableError(fmt::format("{}: the table is empty", name));
  const std::size_t lines = header_is_told ? 1 : header_lines(head, missing);
  if (lines > 1)
    throw TableError(
        fmt::format("{}: lines 1 to {} all look like column names: keep one line of names, or say "
                    "with --header that only line 1 is one",
                    name, lines));
}

struct Body {
  DenseCells cells;
  RowWidths widths;
  std::vector<std::pair<Index, Index>> lines;
  std::size_t blank_lines = 0;  // between rows
};

void add_line(Body& body, std::size_t line) {
  const auto row = static_cast<Index>(body.cells.rows());
  const auto here = static_cast<Index>(line);
  if (body.lines.empty() || body.lines.back().second - body.lines.back().first != here - row)
    body.lines.emplace_back(row, here);
}

Body read_body(RecordScan& scan, std::string_view text, const Dialect& dialect) {
  Body body;
  const char line_end = dialect.line_end == "\r" ? '\r' : '\n';
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), line_end)) + 1;
  const auto delimiters =
      static_cast<std::size_t>(std::count(text.begin(), text.end(), dialect.delimiter));
  body.cells.reserve(lines, lines + delimiters);
  scan.skip_blank_lines();
  while (!scan.at_end()) {
    const std::size_t line = scan.line();
    add_line(body, line);
    body.cells.begin_row(scan.offset());
    std::size_t cells = 0;
    scan.next_record([&](std::size_t end) {
      body.cells.end_cell(end);
      ++cells;
    });
    body.widths.add(cells, line);
    const std::size_t skipped = scan.skip_blank_lines();
    if (!scan.at_end()) body.blank_lines += skipped;
  }
  return body;
}

bool last_cells_are_empty(const Body& body, std::size_t columns, std::string_view text) {
  for (std::size_t row = 0; row < body.cells.rows(); ++row) {
    const Span span = body.cells.at(row, columns - 1, columns);
    if (!trim(text.substr(span.begin, span.end - span.begin)).empty()) return false;
  }
  return true;
}

// A header may be one name longer (its line ends in a delimiter) or shorter (every row ends in
// one, or begins with a row name, as R writes).
std::vector<std::string> fit_names(std::vector<std::string> names, const Body& body,
                                   std::string_view text, const std::string& name,
                                   std::vector<std::string>& notes) {
  const std::size_t columns = body.widths.most_common(names.size());
  body.widths.check(columns, name);
  if (names.size() == columns + 1 && names.back().empty()) {
    names.pop_back();
    notes.emplace_back("the line of names ends in a delimiter that the rows do not have: ignored");
  } else if (names.size() + 1 == columns && last_cells_are_empty(body, columns, text)) {
    names.emplace_back();
    notes.emplace_back("every row ends in a delimiter: the last column is empty and not used");
  } else if (names.size() + 1 == columns) {
    names.insert(names.begin(), "row_name");
    notes.emplace_back(
        "the rows have one cell more than there are names: the first column is taken for row names"
        " and called \"row_name\"");
  } else if (names.size() != columns) {
    throw TableError(
        fmt::format("{}: the line of names has {} cells and the rows have {}: give every"
                    " column one name",
                    name, names.size(), columns));
  }
  return repair_names(std::move(names), notes);
}

void check_shape(const TableParts& parts, std::size_t rows, bool needs_label) {
  if (rows == 0)
    throw TableError(
        fmt::format("{}: the table has a line of column names and no rows", parts.source));
  if (needs_label && parts.names.size() < 2)
    throw TableError(fmt::format(
        "{}: the table has one column only: it needs a label and at least one input; if the cells"
        " are separated by something else than comma, semicolon, tab or |, name it as the"
        " delimiter",
        parts.source));
}

}  // namespace

Table read_delimited(Source source, const ReadOptions& options) {
  TableParts parts;
  parts.source = source.name;
  parts.missing = missing_words(options.missing, default_missing_words());
  parts.dialect = detect_dialect(source.text, options.delimiter);
  const Head head = read_head(source, parts.dialect);
  parts.dialect.header = options.header.value_or(has_header(head, parts.missing));
  check_head(head, parts.missing, source.name, options.header.has_value());

  RecordScan scan(source.text, parts.dialect, source.name);
  scan.skip_blank_lines();
  if (parts.dialect.header) scan.next_record([](std::size_t) {});
  Body body = read_body(scan, source.text, parts.dialect);
  if (parts.dialect.header && body.widths.empty()) {
    parts.names = head[0];
  } else if (parts.dialect.header) {
    parts.names = fit_names(head[0], body, source.text, source.name, parts.notes);
  } else {
    body.widths.check(body.widths.most_common(), source.name);
    for (std::size_t i = 0; i < body.widths.most_common(); ++i)
      parts.names.push_back(column_number_name(i));
    if (!options.header)
      parts.notes.emplace_back(
          "the first line is taken for data, and columns are called column_1, column_2, …; if it is"
          " names, say --header");
  }
  check_shape(parts, body.cells.rows(), options.needs_label);
  if (body.blank_lines > 0)
    parts.notes.push_back(fmt::format("{} between rows skipped",
                                      counted(static_cast<Index>(body.blank_lines), "blank line")));
  parts.cells = std::move(body.cells);
  parts.lines = std::move(body.lines);
  parts.text = std::move(source.text);
  return Table(std::move(parts));
}

}  // namespace candor
