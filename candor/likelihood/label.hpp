// SPDX-License-Identifier: MIT
// What classifiers require of a row.
#pragma once

#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

// y is -1 or +1.
void check_label(const Observation& row);

// y is the number of a class, of so many.
void check_class(const Observation& row, Index classes);

// A rate that is known for this row lies in [0, ½).
void check_known_flip_rate(const Observation& row);

// For likelihoods whose labels are never flipped: no known rate, or 0.
void check_no_known_flip_rate(const Observation& row);

}  // namespace candor
