// SPDX-License-Identifier: MIT
#include <candor/data/replace_cells.hpp>

#include <candor/data/quoting.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>
#include <candor/data/write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

struct Edit {
  Span span;  // the value with its quotes, blanks around it not
  std::string text;
};

void check_cell(const Table& table, const Replacement& replacement) {
  if (replacement.row < 0 || replacement.row >= table.rows() || replacement.column < 0 ||
      replacement.column >= table.columns())
    throw TableError(
        fmt::format("{}: row {}, column {} is to be replaced, and the table has {} and {}",
                    table.source(), replacement.row + 1, replacement.column + 1,
                    counted(table.rows(), "row"), counted(table.columns(), "column")));
}

void check_sparse_value(const Table& table, const Replacement& replacement) {
  if (table.dialect().format == TableFormat::libsvm &&
      (replacement.value.empty() ||
       replacement.value.find_first_of(" \t\r\n:#") != std::string::npos))
    throw TableError(fmt::format("{}: {} cannot be written in LIBSVM format, which has no quotes",
                                 place(table, replacement.row, replacement.column),
                                 shown(replacement.value)));
}

Edit make_edit(const Table& table, const Replacement& replacement) {
  check_cell(table, replacement);
  check_sparse_value(table, replacement);
  const std::optional<Span> span = table.span(replacement.row, replacement.column);
  if (!span)
    throw TableError(fmt::format("{}: this row does not hold the cell, so it cannot be replaced",
                                 place(table, replacement.row, replacement.column)));
  const std::string_view raw =
      std::string_view(table.text()).substr(span->begin, span->end - span->begin);
  const std::string_view old = trim(raw);
  const auto begin = span->begin + static_cast<std::size_t>(old.data() - raw.data());
  const bool quoted = old.size() >= 2 && is_quote(old.front(), table.dialect());
  // An empty cell lies at the end of its blanks: a new value goes there too.
  return {{begin, begin + old.size()}, quote_cell(replacement.value, table.dialect(), quoted)};
}

}  // namespace

std::string replace_cells(const Table& table, std::vector<Replacement> replacements) {
  const auto place_of = [](const Replacement& r) { return std::pair(r.row, r.column); };
  std::sort(replacements.begin(), replacements.end(),
            [&](const Replacement& a, const Replacement& b) { return place_of(a) < place_of(b); });
  std::string out;
  out.reserve(table.text().size());
  std::size_t copied = 0;
  for (std::size_t i = 0; i < replacements.size(); ++i) {
    const Edit edit = make_edit(table, replacements[i]);
    if (i > 0 && place_of(replacements[i]) == place_of(replacements[i - 1]))
      throw TableError(fmt::format("{}: this cell is to be replaced twice",
                                   place(table, replacements[i].row, replacements[i].column)));
    out.append(table.text(), copied, edit.span.begin - copied);
    out += edit.text;
    copied = edit.span.end;
  }
  out.append(table.text(), copied);
  return out;
}

}  // namespace candor
