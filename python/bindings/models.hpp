// SPDX-License-Identifier: MIT
// Classifiers: what was learned, predictions, model files, audits.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_models(nanobind::module_& module);

}  // namespace candor::python
