// SPDX-License-Identifier: MIT
// How a text table is written: what separates cells, what quotes them, whether names come first.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace candor {

enum class TableFormat { delimited, arff, libsvm };

[[nodiscard]] std::string_view to_string(TableFormat format);

// How a quote is written inside quotes: twice (RFC 4180) or after a backslash (ARFF).
enum class QuoteEscape { doubled, backslash };

struct Dialect {
  TableFormat format = TableFormat::delimited;
  char delimiter = ',';  // , ; tab | and, for LIBSVM, blank
  char quote = '"';      // " or '
  QuoteEscape escape = QuoteEscape::doubled;
  bool header = true;           // names in the first line
  std::string line_end = "\n";  // of the first line: "\n", "\r\n" or "\r"
  bool byte_order_mark = false;

  bool operator==(const Dialect&) const = default;
};

// For people: "comma-separated, header, CRLF line ends".
[[nodiscard]] std::string describe(const Dialect& dialect);

// Delimiter (unless given), quote and line end of a delimited text; `header` is left for the
// reader, which needs the cells to tell.
[[nodiscard]] Dialect detect_dialect(std::string_view text, std::optional<char> delimiter);

}  // namespace candor
