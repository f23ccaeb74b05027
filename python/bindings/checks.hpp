// SPDX-License-Identifier: MIT
// How far posteriors are from the truth, by sampling: without the GIL, watched, and
// stopped by Ctrl-C.
#pragma once

#include "watching.hpp"

#include <candor/model/posterior_check.hpp>

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

namespace candor::python {

// With draws of these rows.
[[nodiscard]] nanobind::dict as_dict(const ProcessCheck& check, const std::string& verdict,
                                     const std::vector<Index>& rows);

// MemoryError where `cost`, that of this check, does not fit.
void check_memory_of_check(const Cost& cost, Index rows, const CheckOptions& options);

// The same options, which ask the watcher whether to go on.
[[nodiscard]] CheckOptions watched(CheckOptions options, int threads, PythonWatcher& watcher);

void bind_checks(nanobind::module_& module);

}  // namespace candor::python
