// SPDX-License-Identifier: MIT
// Where the cells of a table lie in its text.  Positions are kept relative to the start of their
// row, in two bytes each while every row is shorter than 64 KiB and in four otherwise: a cell
// costs less than its text does.
#pragma once

#include <candor/linalg/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace candor {

// [begin, end) in the text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};

// Rows of equally many cells, each ended by one byte (delimiter or line end).
class DenseCells {
 public:
  void reserve(std::size_t rows, std::size_t cells);
  void begin_row(std::size_t offset);
  void end_cell(std::size_t offset);  // of the row begun last
  [[nodiscard]] std::size_t rows() const { return row_begin_.size(); }
  [[nodiscard]] Span at(std::size_t row, std::size_t column, std::size_t columns) const;

 private:
  void widen();

  std::vector<std::uint64_t> row_begin_;
  std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>> end_;  // relative to the row
};

// Rows that name the cells they hold (LIBSVM); the others are absent.
class SparseCells {
 public:
  void begin_row();
  void add(std::size_t column, Span span);  // columns ascend within a row
  [[nodiscard]] std::size_t rows() const { return row_begin_.size(); }
  [[nodiscard]] std::optional<Span> at(std::size_t row, std::size_t column) const;

 private:
  struct Cell {
    std::uint64_t begin;
    std::uint32_t length;
    std::uint32_t column;
  };
  std::vector<std::size_t> row_begin_;  // into cells_
  std::vector<Cell> cells_;
};

}  // namespace candor
