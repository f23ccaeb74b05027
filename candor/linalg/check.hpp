// SPDX-License-Identifier: MIT
// The vocabulary for refusing bad input: each check throws InvalidInput naming parameter, value and
// requirement.  Public entries call these before any O(n³) work.
#pragma once

#include <candor/linalg/types.hpp>

#include <string_view>

namespace candor {

void check_finite(std::string_view parameter, double value);
void check_positive(std::string_view parameter, double value);      // finite and > 0
void check_non_negative(std::string_view parameter, double value);  // finite and ≥ 0
void check_at_most(std::string_view parameter, double value, double high);
// low ≤ value < below
void check_interval(std::string_view parameter, double value, double low, double below);
void check_same_size(std::string_view a, Index size_a, std::string_view b, Index size_b);

// Names row and column (counted from 0) of the first entry that is not finite.
void check_all_finite(std::string_view parameter, const MatrixRef& values);

// Likewise of the first that is infinite: inputs, where NaN is a cell that is not known.
void check_inputs(std::string_view parameter, const MatrixRef& values);

}  // namespace candor
