// SPDX-License-Identifier: MIT
// What a fit begins with: a table's text or a matrix of numbers, with labels.
#pragma once

#include <candor/model/fit.hpp>

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

namespace candor::python {

struct Inputs {
  std::optional<Table> table;  // none: a matrix
  Schema schema;               // of the table
  Prepared prepared;
  Origin origin;
};

// Of a frame, written as CSV with a header: an empty cell is missing, and no word is.
[[nodiscard]] Table table_of(std::string text, std::string name, bool needs_label);

void bind_inputs(nanobind::module_& module);

}  // namespace candor::python
