// SPDX-License-Identifier: MIT
// The two loops in which evaluating a covariance spends its time, compiled for the instruction sets
// that matter and chosen by what the CPU has (docs/decisions/0003-covariance-blocks.md).
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// values ← exp(values) for numbers ≤ 0, to one unit in the last place; 3e-308 below -708.
void exp_of_nonpositive(MatrixOut values);

// sums_i += ((x_i - z) scale)²
void add_squared_differences(const VectorRef& x, double z, double scale, Eigen::Ref<Vector> sums);

}  // namespace candor
