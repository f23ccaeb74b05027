// SPDX-License-Identifier: MIT
// A table as it stands in its file: the text, kept once, and where each cell lies in it.  Nothing
// is converted, so every untouched byte can be written back.  Rows and columns are counted from 0
// here; people see data rows and columns counted from 1 and lines of the file.
#pragma once

#include <candor/data/cell_index.hpp>
#include <candor/data/dialect.hpp>
#include <candor/data/missing.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace candor {

// What a reader hands over.
struct TableParts {
  std::string source;  // name of the file, for messages
  std::string text;
  Dialect dialect;
  std::vector<std::string> names;  // one per column, unique, never empty
  // Columns whose file declares them categories (ARFF nominal), by index.
  std::vector<Index> declared_categories;
  std::variant<DenseCells, SparseCells> cells;
  // (row, line of the file) where the difference of the two changes; the first entry is row 0.
  std::vector<std::pair<Index, Index>> lines;
  MissingWords missing;
  std::vector<std::string> notes;
};

class Table {
 public:
  explicit Table(TableParts parts) : parts_(std::move(parts)) {}

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index columns() const { return static_cast<Index>(parts_.names.size()); }
  [[nodiscard]] const std::vector<std::string>& names() const { return parts_.names; }
  [[nodiscard]] const std::string& name(Index column) const;
  [[nodiscard]] std::optional<Index> find(std::string_view name) const;

  // The value of a cell: unquoted and trimmed.  A view into the text where that needs no change,
  // into `scratch` otherwise.  Absent cells of a sparse table are "0".
  [[nodiscard]] std::string_view view(Index row, Index column, std::string& scratch) const;
  [[nodiscard]] std::string cell(Index row, Index column) const;
  [[nodiscard]] bool is_missing(Index row, Index column) const;

  // The cell's bytes in the file, quotes and blanks included; nothing where a sparse row omits it.
  [[nodiscard]] std::optional<Span> span(Index row, Index column) const;

  [[nodiscard]] Index line(Index row) const;  // of the file, from 1
  [[nodiscard]] const std::string& text() const { return parts_.text; }
  [[nodiscard]] const std::string& source() const { return parts_.source; }
  [[nodiscard]] const Dialect& dialect() const { return parts_.dialect; }
  [[nodiscard]] const MissingWords& missing_words() const { return parts_.missing; }
  [[nodiscard]] const std::vector<Index>& declared_categories() const {
    return parts_.declared_categories;
  }
  // Sentences a person should see: what was repaired, skipped or guessed.
  [[nodiscard]] const std::vector<std::string>& notes() const { return parts_.notes; }

 private:
  TableParts parts_;
};

}  // namespace candor
