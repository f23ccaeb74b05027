// SPDX-License-Identifier: MIT
// Draws from the standard normal above a bound, x ~ N(0, 1) given x > a, for any a: by rejection from
// the normal where that accepts often, and from a shifted exponential of rate (a + √(a² + 4))/2 in the
// tail, which accepts at least three in four [R95].
#pragma once

#include <candor/linalg/random.hpp>

namespace candor {

[[nodiscard]] double normal_above(double a, Random& random);

}  // namespace candor
