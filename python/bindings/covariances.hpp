// SPDX-License-Identifier: MIT
// Covariances as text, evaluated on arrays, and inference at fixed hyperparameters.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_covariances(nanobind::module_& module);

}  // namespace candor::python
