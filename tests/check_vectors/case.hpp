// SPDX-License-Identifier: MIT
// A case to check, and the walk over what it expects that leaves no field out silently.
#pragma once

#include "problem.hpp"
#include "report.hpp"
#include "vector_json.hpp"

#include <functional>
#include <string>
#include <vector>

namespace check_vectors {

struct Case {
  Problem problem;
  Node answers;
  bool answers_beside_inputs;  // `answers` is the case itself, inputs included
  Report report;
};

// The names from the expected object down to a value.
using Field = std::vector<std::string>;

// Checks one value; false when it knows no such field.
using FieldCheck = std::function<bool(const Field& field, const Node& want)>;

// Visits every answer that is not an object.  References are noted as such, and fields that `check`
// does not know listed as not covered.
void check_fields(Case& c, const FieldCheck& check);

// Lists what stands in `object` beside inputs and `answers`, so that nothing is passed over
// silently.
void list_strays(const Node& object, const std::string& answers, Report& report);

}  // namespace check_vectors
