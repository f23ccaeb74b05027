// SPDX-License-Identifier: MIT
#include <candor/data/record_scan.hpp>

namespace candor {

std::size_t RecordScan::skip_blank_lines() {
  std::size_t skipped = 0;
  while (!at_end()) {
    std::size_t i = at_;
    while (i < text_.size() && text_[i] != dialect_.delimiter && !is_line_end(i) &&
           (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\r'))
      ++i;
    if (i < text_.size() && !is_line_end(i)) break;
    // Blanks after the last line end are no line of their own.
    const bool has_line_end = i < text_.size();
    at_ = after_line_end(i);
    if (has_line_end) ++line_;
    ++skipped;
  }
  return skipped;
}

std::size_t RecordScan::find_quoted_end(std::size_t open) {
  const std::size_t opened_on = line_;
  std::size_t i = open + 1;
  for (;; ++i) {
    if (i >= text_.size())
      throw TableError(
          fmt::format("{}: line {}: a quote ({}) opens here and is never closed: close it,"
                      " or double it if it belongs to the text",
                      name_, opened_on, dialect_.quote));
    if (text_[i] == dialect_.quote) {
      if (i + 1 >= text_.size() || text_[i + 1] != dialect_.quote) break;
      ++i;
    } else if (is_line_end(i) &&
               !(text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n')) {
      ++line_;
    }
  }
  ++i;
  while (i < text_.size() && text_[i] != dialect_.delimiter && !is_line_end(i)) {
    if (text_[i] != ' ' && text_[i] != '\t' && text_[i] != '\r')
      throw TableError(
          fmt::format("{}: line {}: text follows the closing quote of a cell: quotes inside a "
                      "quoted cell must be"
                      " doubled",
                      name_, line_));
    ++i;
  }
  return i;
}

}  // namespace candor
