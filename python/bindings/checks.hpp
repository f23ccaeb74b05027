// SPDX-License-Identifier: MIT
// How far a classifier's posteriors are from the truth, by sampling: without the GIL, watched, and
// stopped by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_checks(nanobind::module_& module);

}  // namespace candor::python
