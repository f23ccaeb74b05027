// SPDX-License-Identifier: MIT
// NumPy's matrices as they lie in memory: column-major ones of doubles are not copied, others are
// converted first.
#pragma once

#include <candor/linalg/types.hpp>

#include <nanobind/ndarray.h>

namespace candor::python {

using Array =
    nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::f_contig, nanobind::device::cpu>;

inline Eigen::Map<const Matrix> matrix_of(const Array& array) {
  return {array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1))};
}

}  // namespace candor::python
