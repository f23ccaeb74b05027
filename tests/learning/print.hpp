// SPDX-License-Identifier: MIT
// How a failed expectation shows the status of a climb.
#pragma once

#include <candor/learning/ascent.hpp>

#include <ostream>

namespace candor {

inline void PrintTo(AscentStatus status, std::ostream* out) { *out << name_of(status); }

}  // namespace candor
