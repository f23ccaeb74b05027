// SPDX-License-Identifier: MIT
// Covariances of the latent function at points that need not be observed rows: no noise in any of
// them.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/linalg/threads.hpp>

namespace candor {

// k(x_i, z_j) for all rows of X and Z, which are different rows: cells of theirs that are not known
// (NaN) are different cells.
[[nodiscard]] Matrix cross(const Covariance& covariance, const MatrixRef& X, const MatrixRef& Z,
                           Threads threads = {});

// k(x_i, x_i) for all rows of X.
[[nodiscard]] Vector prior_variance(const Covariance& covariance, const MatrixRef& X);

}  // namespace candor
