// SPDX-License-Identifier: MIT
// A rank-1 lattice rule: point i has the coordinates {i z_j/N}, all of weight 1/N.  Made for
// integrands in which later coordinates matter less.  Printed by scripts/oracle/lattice_rule.py
// 8191 63.
#pragma once

#include <candor/linalg/types.hpp>

#include <array>

namespace candor {

inline constexpr Index lattice_points = 8191;  // N, a prime

inline constexpr std::array<Index, 63> lattice_generator{
    1,    2431, 3799, 1729, 969,  2283, 848,  660,  2227, 1148, 2600, 747,  2715, 926,  2972, 2743,
    3574, 677,  3845, 1827, 4056, 2591, 2939, 1122, 2159, 1660, 3637, 1473, 2521, 2848, 2062, 4043,
    3658, 1396, 394,  998,  3188, 215,  3287, 1759, 2812, 1239, 3693, 711,  2355, 2128, 3415, 3434,
    1888, 2179, 4049, 3505, 1607, 1651, 2512, 1874, 2632, 3984, 538,  2750, 276,  3101, 3172};

}  // namespace candor
