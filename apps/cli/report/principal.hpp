// SPDX-License-Identifier: MIT
// Two principal components, for pictures: exact for up to a thousand columns, from a thousand rows
// beyond.
#pragma once

#include <candor/linalg/types.hpp>

#include <vector>

namespace candor::cli {

struct Principal {
  Matrix directions;      // d×2, orthonormal or zero; the largest entry of each is positive
  Eigen::Vector2d share;  // of the variance
};

[[nodiscard]] Principal principal_directions(const Matrix& X);

// X with each of these columns replaced by a column of 0 and 1 per value, the 50 commonest at most.
[[nodiscard]] Matrix with_indicators(const Matrix& X, const std::vector<Index>& discrete);

}  // namespace candor::cli
