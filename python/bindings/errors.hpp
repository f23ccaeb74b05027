// SPDX-License-Identifier: MIT
// Candor's exceptions as Python's: what the caller got wrong is a ValueError.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_errors(nanobind::module_& module);

}  // namespace candor::python
