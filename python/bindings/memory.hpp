// SPDX-License-Identifier: MIT
// Refusing what does not fit into memory, since a process that runs out of it is ended without a word.
#pragma once

#include <string>

namespace candor::python {

// MemoryError: "`what` take about 3.1 GiB of memory, and 2.0 GiB are free: `advice`".
void check_memory(double bytes, const std::string& what, const std::string& advice);

}  // namespace candor::python
