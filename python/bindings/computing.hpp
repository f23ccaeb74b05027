// SPDX-License-Identifier: MIT
// While the core computes: other Python threads go on, and OpenBLAS, which NumPy may share, uses one
// thread.
#pragma once

#include <candor/linalg/blas_threads.hpp>

#include <nanobind/nanobind.h>

namespace candor::python {

struct Computing {
  blas::OneThread one_thread;
  nanobind::gil_scoped_release released;
};

}  // namespace candor::python
