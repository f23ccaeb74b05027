// SPDX-License-Identifier: MIT
// GMRES without restart or preconditioner [SS86]: x with |b - M x| ≤ relative_tolerance |b|, from
// products with M alone.  Returns the best x found within `max_dimension` products.
#pragma once

#include <candor/linalg/types.hpp>

#include <functional>

namespace candor {

[[nodiscard]] Vector gmres(const std::function<Vector(const Vector&)>& multiply, const Vector& b,
                           double relative_tolerance, Index max_dimension);

}  // namespace candor
