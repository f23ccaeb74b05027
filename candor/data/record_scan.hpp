// SPDX-License-Identifier: MIT
// Internal: the one place that knows where the cells and lines of a delimited text end.
#pragma once

#include <candor/data/dialect.hpp>
#include <candor/data/table_error.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace candor {

// Walks over a text record by record (RFC 4180: quoted cells may hold delimiters and line ends).  A
// lone CR ends a line only where the first line of the file ends so.
class RecordScan {
 public:
  RecordScan(std::string_view text, const Dialect& dialect, const std::string& name)
      : text_(text), dialect_(dialect), name_(name), at_(dialect.byte_order_mark ? 3 : 0) {}

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }  // where the next record begins
  [[nodiscard]] std::size_t line() const { return line_; }  // its line, from 1

  // Skips lines without a cell; says how many.
  std::size_t skip_blank_lines();

  // Calls end_cell(offset) for every cell of the next record and moves past its line end.
  template <class EndCell>
  void next_record(EndCell end_cell) {
    for (;;) {
      std::size_t end = find_cell_end(at_);
      end_cell(end);
      if (end < text_.size() && text_[end] == dialect_.delimiter) {
        at_ = end + 1;
        continue;
      }
      at_ = after_line_end(end);
      ++line_;
      return;
    }
  }

 private:
  // Of the cell at `begin`: its delimiter, its line end, or the end of the text.
  std::size_t find_cell_end(std::size_t begin) {
    std::size_t i = begin;
    while (i < text_.size() && text_[i] == ' ') ++i;
    if (i < text_.size() && text_[i] == dialect_.quote) return find_quoted_end(i);
    while (i < text_.size() && text_[i] != dialect_.delimiter && !is_line_end(i)) ++i;
    return i;
  }

  [[nodiscard]] bool is_line_end(std::size_t i) const {
    if (text_[i] == '\n') return true;
    if (text_[i] != '\r') return false;
    return dialect_.line_end == "\r" || (i + 1 < text_.size() && text_[i + 1] == '\n');
  }

  [[nodiscard]] std::size_t after_line_end(std::size_t i) const {
    if (i >= text_.size()) return i;
    return i + (text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n' ? 2 : 1);
  }

  std::size_t find_quoted_end(std::size_t open);

  std::string_view text_;
  const Dialect& dialect_;
  const std::string& name_;
  std::size_t at_;
  std::size_t line_ = 1;
};

}  // namespace candor
