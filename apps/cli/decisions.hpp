// SPDX-License-Identifier: MIT
// What to change in a table: read from an audit's output or from a person's decisions.
#pragma once

#include <candor/linalg/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace candor::cli {

struct Decision {
  std::string place;                 // where it stands: "decided.csv: line 4"
  std::optional<Index> row;          // of the table, from 0
  std::optional<std::string> id;     // instead of the row, or to check it
  std::optional<std::string> given;  // the label it must still have
  std::string label;                 // the label it gets
  std::string alternative;           // or this one, where it has that label already
  bool by_model = false;             // an audit's suggestion
};

struct Decisions {
  std::vector<Decision> list;
  std::optional<std::string> label_column;  // where the file says it
  std::optional<std::string> id_column;     // the same
  std::optional<std::string> data_hash;     // of the table that was audited, where it is told
  Index undecided = 0;                      // lines without a label
  Index kept = 0;                           // of an audit: above the threshold, no other label
  std::optional<double> threshold;          // of an audit: the one that was used
  std::vector<std::string> notes;
};

// An audit as CSV, JSON or JSON lines, or a file of decisions: columns (or keys) row or id, and
// label.  Of an audit, rows above the threshold get their suggestion, or their alternative where
// nothing is suggested; without a threshold the audit's own holds, or ½ where it tells none.
// InvalidInput that names the place otherwise.
[[nodiscard]] Decisions read_decisions(const std::string& path, std::optional<double> threshold);

}  // namespace candor::cli
