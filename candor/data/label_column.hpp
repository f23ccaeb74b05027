// SPDX-License-Identifier: MIT
// The column a classifier learns: its classes, and each row's class.
#pragma once

#include <candor/data/missing.hpp>
#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <vector>

namespace candor {

struct LabelColumn {
  std::vector<std::string> classes;  // in natural order: 2 before 10, item2 before item10
  std::vector<int> codes;            // per row: index into classes, -1 where the label is missing
  std::vector<Index> counts;         // rows per class
  Index missing = 0;
  std::vector<std::string> notes;  // classes that look alike ("yes", "Yes"), classes of one row
};

// Throws TableError for no label at all, one class only, or more than `most_classes`.  Whether
// numbers are classes at all is asked by infer_schema.
[[nodiscard]] LabelColumn read_labels(const Table& table, Index column, Index most_classes = 100);

// Codes under classes known from training, where these words meant missing; throws TableError with
// line for a label that is neither.  A class counts as one even if it is called NA.
[[nodiscard]] LabelColumn read_labels(const Table& table, Index column,
                                      const std::vector<std::string>& classes,
                                      const MissingWords& missing_in_training);

}  // namespace candor
