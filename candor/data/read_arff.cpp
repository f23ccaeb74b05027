// SPDX-License-Identifier: MIT
// ARFF: declarations of attributes, then comma-separated rows.  Sparse rows, relational
// attributes and instance weights are refused.
#include <candor/data/header.hpp>
#include <candor/data/quoting.hpp>
#include <candor/data/ragged.hpp>
#include <candor/data/read_table.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace candor {
namespace {

class ArffReader {
 public:
  ArffReader(const Source& source, TableParts& parts)
      : text_(source.text), parts_(parts), at_(source.byte_order_mark ? 3 : 0) {}

  void read() {
    read_declarations();
    read_rows();
    widths_.check(parts_.names.size(), parts_.source);
    if (cells_.rows() == 0)
      throw TableError(fmt::format("{}: there are no rows after @data", parts_.source));
    parts_.names = repair_names(std::move(parts_.names), parts_.notes);
    parts_.cells = std::move(cells_);
  }

  // Of each attribute: its declared values, none where it is not nominal.
  [[nodiscard]] const std::vector<std::set<std::string>>& nominal() const { return nominal_; }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw TableError(fmt::format("{}: line {}: {}", parts_.source, line_, what));
  }

  // The next line without its end, as [begin, end); false at the end of the text.
  bool next_line(Span& span) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    span = {at_, end};
    const bool crlf = end + 1 < text_.size() && text_[end] == '\r' && text_[end + 1] == '\n';
    at_ = end + (crlf ? 2 : 1);
    ++line_;
    return true;
  }

  std::string_view line_text(Span span) const {
    return trim(text_.substr(span.begin, span.end - span.begin));
  }

  void read_declarations() {
    Span span;
    while (next_line(span)) {
      const std::string_view line = line_text(span);
      if (line.empty() || line.front() == '%') continue;
      const std::string word = lower_case(line.substr(0, line.find_first_of(" \t")));
      if (word == "@relation") continue;
      if (word == "@attribute") {
        read_attribute(trim(line.substr(word.size())));
      } else if (word == "@data") {
        if (parts_.names.size() < 2)
          refuse("@data comes after fewer than two attributes: a label and an input are needed");
        return;
      } else {
        refuse(fmt::format("{} is neither @attribute nor @data", shown(line)));
      }
    }
    throw TableError(fmt::format("{}: there is no @data line: the file was cut off or is no ARFF",
                                 parts_.source));
  }

  void read_attribute(std::string_view rest) {
    const std::size_t end = token_end(rest, 0, " \t{");
    std::string scratch;
    const std::string name(unquote(rest.substr(0, end), parts_.dialect, scratch));
    const std::string_view type = trim(rest.substr(end));
    if (name.empty() || type.empty()) refuse("an @attribute needs a name and a type");
    const std::string kind = lower_case(type.substr(0, type.find_first_of(" \t")));
    std::set<std::string> values;
    if (type.front() == '{') {
      values = read_nominal(type);
      parts_.declared_categories.push_back(static_cast<Index>(parts_.names.size()));
    } else if (kind != "numeric" && kind != "real" && kind != "integer" && kind != "string" &&
               kind != "date") {
      refuse(
          fmt::format("attribute {} has type {}: it must be numeric, real, integer, string, date or"
                      " a list in braces",
                      shown(name), shown(type)));
    }
    parts_.names.push_back(name);
    nominal_.push_back(std::move(values));
  }

  std::set<std::string> read_nominal(std::string_view type) const {
    if (type.back() != '}') refuse("the list of values is not closed by }");
    const std::string_view list = type.substr(1, type.size() - 2);
    std::set<std::string> values;
    std::string scratch;
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = token_end(list, begin, ",");
      values.emplace(unquote(list.substr(begin, end - begin), parts_.dialect, scratch));
      begin = end + 1;
    }
    return values;
  }

  // Where the token at `begin`, quoted or not, is followed by one of `stops`.
  std::size_t token_end(std::string_view text, std::size_t begin, std::string_view stops) const {
    std::size_t i = begin;
    while (i < text.size() && text[i] == ' ') ++i;
    if (i < text.size() && (text[i] == '"' || text[i] == '\'')) {
      const char quote = text[i++];
      while (i < text.size() && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) refuse(fmt::format("a quote ({}) is never closed", quote));
      ++i;
    }
    return std::min(text.find_first_of(stops, i), text.size());
  }

  void read_rows() {
    Span span;
    while (next_line(span)) {
      const std::string_view line = line_text(span);
      if (line.empty() || line.front() == '%') continue;
      if (line.front() == '{')
        refuse("this row is sparse ({index value, …}): write all values, separated by commas");
      if (cells_.rows() == 0 && line.find(',') == std::string_view::npos &&
          line.find('\t') != std::string_view::npos)
        parts_.dialect.delimiter = '\t';
      add_row(span);
    }
  }

  void add_row(Span span) {
    const auto row = static_cast<Index>(cells_.rows());
    auto& lines = parts_.lines;
    if (lines.empty() || lines.back().second - lines.back().first != line_ - row)
      lines.emplace_back(row, line_);
    cells_.begin_row(span.begin);
    const std::string_view line = text_.substr(span.begin, span.end - span.begin);
    const std::string_view stop(&parts_.dialect.delimiter, 1);
    std::size_t cells = 0;
    for (std::size_t begin = 0; begin <= line.size(); ++cells) {
      const std::size_t end = token_end(line, begin, stop);
      cells_.end_cell(span.begin + end);
      begin = end + 1;
    }
    widths_.add(cells, static_cast<std::size_t>(line_));
  }

  std::string_view text_;
  TableParts& parts_;
  std::size_t at_;
  Index line_ = 0;
  std::vector<std::set<std::string>> nominal_;
  DenseCells cells_;
  RowWidths widths_;
};

void check_nominal_values(const Table& table, const std::vector<std::set<std::string>>& nominal) {
  for (const Index column : table.declared_categories())
    for (Index row = 0; row < table.rows(); ++row) {
      const std::string value = table.cell(row, column);
      if (table.is_missing(row, column) ||
          nominal[static_cast<std::size_t>(column)].contains(value))
        continue;
      throw TableError(
          fmt::format("{}: {} is not among the declared values: correct it or declare it",
                      place(table, row, column), shown(value)));
    }
}

}  // namespace

Table read_arff(Source source, const ReadOptions& options) {
  TableParts parts;
  parts.source = source.name;
  // In ARFF only ? is missing; NA may well be a value.
  parts.missing = missing_words(options.missing, {"?"});
  parts.dialect = detect_dialect(source.text, ',');
  parts.dialect.format = TableFormat::arff;
  parts.dialect.quote = '\'';
  parts.dialect.escape = QuoteEscape::backslash;
  parts.dialect.header = true;
  ArffReader reader(source, parts);
  reader.read();
  // The reader looks at the text no more: it moves into the table.
  parts.text = std::move(source.text);
  Table table(std::move(parts));
  check_nominal_values(table, reader.nominal());
  return table;
}

}  // namespace candor
