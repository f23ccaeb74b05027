// SPDX-License-Identifier: MIT
// The loops in which evaluating a covariance spends its time, compiled for the instruction sets
// that matter and chosen by what the CPU has (docs/decisions/0003-covariance-blocks.md).
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// values = exp(rate x) for rate ≤ 0 ≤ x, to one unit in the last place of the exponential; 3e-308
// where the exponent is below -708.  `values` may be x itself.
void exp_decay(double rate, const MatrixRef& x, MatrixOut values);

// values = factor weights exp(rate x), the same and in the same pass; returns the sums of its
// columns.
[[nodiscard]] Vector weighted_exp_decay(double rate, const MatrixRef& x, double factor,
                                        const MatrixRef& weights, MatrixOut values);

// sums_i += ((x_i - z) scale)²
void add_squared_differences(const VectorRef& x, double z, double scale, Eigen::Ref<Vector> sums);

}  // namespace candor
