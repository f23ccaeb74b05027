// SPDX-License-Identifier: MIT
// The report of an audit, as the command line writes it.
#pragma once

#include <nanobind/nanobind.h>

namespace candor::python {

void bind_reports(nanobind::module_& module);

}  // namespace candor::python
