// SPDX-License-Identifier: MIT
// Refuses covariances that cannot be evaluated, naming the parameter by its path.
#pragma once

#include <candor/covariance/covariance.hpp>

namespace candor {

// Trees deeper than this are refused, so that no walk over one can exhaust the stack.
inline constexpr int max_covariance_depth = 100;

// InvalidInput unless the covariance can be evaluated on tables with so many columns: numbers
// positive and finite, one lengthscale or one per column, discrete columns in range and named once,
// no empty sum or product.
void check(const Covariance& covariance, Index columns);

// The part of this that does not depend on a table.
void check(const Covariance& covariance);

}  // namespace candor
