// SPDX-License-Identifier: MIT
#include <candor/data/quoting.hpp>
#include <candor/data/table.hpp>

#include <algorithm>
#include <cassert>

namespace candor {

Index Table::rows() const {
  return std::visit([](const auto& cells) { return static_cast<Index>(cells.rows()); },
                    parts_.cells);
}

const std::string& Table::name(Index column) const {
  return parts_.names[static_cast<std::size_t>(column)];
}

std::optional<Index> Table::find(std::string_view name) const {
  const auto found = std::find(parts_.names.begin(), parts_.names.end(), name);
  if (found == parts_.names.end()) return std::nullopt;
  return static_cast<Index>(found - parts_.names.begin());
}

std::optional<Span> Table::span(Index row, Index column) const {
  assert(row >= 0 && row < rows() && column >= 0 && column < columns());
  const auto r = static_cast<std::size_t>(row);
  const auto c = static_cast<std::size_t>(column);
  if (const auto* dense = std::get_if<DenseCells>(&parts_.cells))
    return dense->at(r, c, parts_.names.size());
  return std::get<SparseCells>(parts_.cells).at(r, c);
}

std::string_view Table::view(Index row, Index column, std::string& scratch) const {
  const std::optional<Span> where = span(row, column);
  if (!where) return "0";
  const std::string_view raw(parts_.text.data() + where->begin, where->end - where->begin);
  return unquote(raw, parts_.dialect, scratch);
}

std::string Table::cell(Index row, Index column) const {
  std::string scratch;
  return std::string(view(row, column, scratch));
}

bool Table::is_missing(Index row, Index column) const {
  std::string scratch;
  return parts_.missing.contains(trim(view(row, column, scratch)));
}

Index Table::line(Index row) const {
  const auto after = std::upper_bound(
      parts_.lines.begin(), parts_.lines.end(), row,
      [](Index wanted, const std::pair<Index, Index>& entry) { return wanted < entry.first; });
  if (after == parts_.lines.begin()) return row + 1;
  const auto& [first_row, first_line] = *std::prev(after);
  return first_line + (row - first_row);
}

}  // namespace candor
