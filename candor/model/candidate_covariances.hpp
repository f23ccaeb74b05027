// SPDX-License-Identifier: MIT
// Internal: the covariances that a fit tries.
#pragma once

#include <candor/learning/select.hpp>

#include <string>
#include <vector>

namespace candor {

// The defaults, or those of the texts.  InvalidInput where one cannot be evaluated on X.
[[nodiscard]] std::vector<NamedCovariance> candidate_covariances(
    const std::vector<std::string>& texts, Index columns, const std::vector<Index>& discrete);

// The same covariance, its parts that compare columns told which of them are discrete, where they
// say nothing about it.
[[nodiscard]] Covariance with_discrete_columns(Covariance covariance,
                                               const std::vector<Index>& discrete);

}  // namespace candor
