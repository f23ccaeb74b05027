// SPDX-License-Identifier: MIT
// Long computations run without the GIL and ask now and then whether to go on: this takes it, lets
// Python see its signals, and tells the caller's function how far they have come.  What Python
// raises ends the computation, and is raised again when that has stopped.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

namespace candor::python {

class PythonWatcher {
 public:
  explicit PythonWatcher(const nanobind::object& tell) : tell_(tell) {}

  template <class... What>
  bool operator()(What&&... what) {
    const nanobind::gil_scoped_acquire held;
    if (raised_) return false;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (!tell_.is_none()) tell_(std::forward<What>(what)...);
    } catch (nanobind::python_error& error) {
      raised_.emplace(std::move(error));
      return false;
    }
    return true;
  }

  void raise_again() {
    if (raised_) throw nanobind::python_error(std::move(*raised_));
  }

  // The result of the computation; after Ctrl-C, whatever came of it, what Python raised.
  template <class Compute>
  auto watch(const Compute& compute) {
    std::optional<decltype(compute())> result;
    try {
      result.emplace(compute());
    } catch (...) {
      raise_again();
      throw;
    }
    raise_again();
    return std::move(*result);
  }

 private:
  const nanobind::object& tell_;
  std::optional<nanobind::python_error> raised_;
};

}  // namespace candor::python
