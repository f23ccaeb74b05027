// SPDX-License-Identifier: MIT
// The covariances that Candor tries when nobody names one, for standardised columns
// (docs/decisions/0005-learning.md says why these).
#pragma once

#include <candor/learning/select.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

// More columns than this share one lengthscale (docs/decisions/0017-wide-tables.md).
inline constexpr Index most_own_lengthscales = 100;

// Matérn 5/2 plus linear plus constant: with one lengthscale for all columns, and, where there are
// several columns and not too many, with one for each, drawn towards a common one loosely and
// tightly.  `discrete` columns hold codes that are compared for equality.
[[nodiscard]] std::vector<NamedCovariance> default_covariances(
    Index columns, const std::vector<Index>& discrete = {});

}  // namespace candor
