// SPDX-License-Identifier: MIT
// The matrix vocabulary of Candor.  Data matrices are n×d: one row per observation, one column per
// input.  Storage is column-major.  Capital letters are matrices, lower-case ones vectors or
// scalars.
#pragma once

#include <Eigen/Core>

namespace candor {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Arguments that are only read: any matrix or block with unit inner stride, without a copy.
using MatrixRef = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using VectorRef = Eigen::Ref<const Vector>;

// Arguments that are written in place.
using MatrixOut = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

}  // namespace candor
