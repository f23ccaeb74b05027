// SPDX-License-Identifier: MIT
// One model on rows of numbers: inference as it stands, evidence maximisation and EM-EP with chosen
// parameters held, and what came of it.  No table, no selection, no average.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_single_model(nanobind::module_& module);

}  // namespace candor::python
