// SPDX-License-Identifier: MIT
#include <candor/data/cell_index.hpp>

#include <candor/data/table_error.hpp>

#include <algorithm>
#include <limits>

namespace candor {

void DenseCells::reserve(std::size_t rows, std::size_t cells) {
  row_begin_.reserve(rows);
  std::visit([cells](auto& ends) { ends.reserve(cells); }, end_);
}

void DenseCells::begin_row(std::size_t offset) { row_begin_.push_back(offset); }

void DenseCells::end_cell(std::size_t offset) {
  const std::size_t relative = offset - row_begin_.back();
  if (auto* narrow = std::get_if<std::vector<std::uint16_t>>(&end_)) {
    if (relative <= std::numeric_limits<std::uint16_t>::max()) {
      narrow->push_back(static_cast<std::uint16_t>(relative));
      return;
    }
    widen();
  }
  if (relative > std::numeric_limits<std::uint32_t>::max())
    throw TableError("the table has a row longer than 4 GiB: it cannot be read");
  std::get<std::vector<std::uint32_t>>(end_).push_back(static_cast<std::uint32_t>(relative));
}

Span DenseCells::at(std::size_t row, std::size_t column, std::size_t columns) const {
  const std::size_t begin = row_begin_[row];
  return std::visit(
      [&](const auto& ends) {
        const std::size_t cell = row * columns + column;
        // The byte after the end of a cell is its delimiter.
        const std::size_t first = column == 0 ? 0 : std::size_t{ends[cell - 1]} + 1;
        return Span{begin + first, begin + ends[cell]};
      },
      end_);
}

void DenseCells::widen() {
  const auto& narrow = std::get<std::vector<std::uint16_t>>(end_);
  std::vector<std::uint32_t> wide;
  wide.reserve(narrow.capacity());
  wide.assign(narrow.begin(), narrow.end());
  end_ = std::move(wide);
}

void SparseCells::begin_row() { row_begin_.push_back(cells_.size()); }

void SparseCells::add(std::size_t column, Span span) {
  cells_.push_back({span.begin, static_cast<std::uint32_t>(span.end - span.begin),
                    static_cast<std::uint32_t>(column)});
}

std::optional<Span> SparseCells::at(std::size_t row, std::size_t column) const {
  const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row]);
  const auto last = row + 1 < row_begin_.size()
                        ? cells_.begin() + static_cast<std::ptrdiff_t>(row_begin_[row + 1])
                        : cells_.end();
  const auto found =
      std::lower_bound(first, last, column,
                       [](const Cell& cell, std::size_t wanted) { return cell.column < wanted; });
  if (found == last || found->column != column) return std::nullopt;
  return Span{found->begin, found->begin + found->length};
}

}  // namespace candor
