// SPDX-License-Identifier: MIT
// Learning: without the GIL, watched, and stopped by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_fitting(nanobind::module_& module);

}  // namespace candor::python
