// SPDX-License-Identifier: MIT
#include "memory.hpp"

#include <candor/model/cost.hpp>

#include <fmt/format.h>

#include <nanobind/nanobind.h>

#include <optional>

namespace candor::python {

void check_memory(double bytes, const std::string& what, const std::string& advice) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const std::optional<double> free = available_bytes();
  if (!free || bytes <= *free) return;
  const std::string message =
      fmt::format("{} take about {:.1f} GiB of memory, and {:.1f} GiB are free: {}", what,
                  bytes / gibibyte, *free / gibibyte, advice);
  PyErr_SetString(PyExc_MemoryError, message.c_str());
  throw nanobind::python_error();
}

}  // namespace candor::python
