// SPDX-License-Identifier: MIT
// Internal: the continued fraction of the Mills ratio, Φ(-x)/φ(x) = 1/K₁ with K_j = x + j/K_{j+1},
// for x ≥ 0, by one series.  From K₃ down nothing is subtracted from anything nearly equal.
#pragma once

#include <array>
#include <cstddef>

namespace candor {

inline constexpr double mills_centre = 4.0;

// Chebyshev coefficients in u = (x-4)/(x+4) of (K₃(x) - x)(x + 4), printed by
// scripts/oracle/normal.py coefficients; the first one left out is below 3e-18.
inline constexpr std::array mills_series{
    4.838226093006342,       -1.7966291840627064,     -0.15170448390884722,
    0.11342289583333917,     0.005310865027695772,    -0.009073908600639453,
    -0.0003260976800233924,  0.0008120236107427546,   3.652457587448023e-05,
    -7.68477039926807e-05,   -5.35915201032032e-06,   7.432035794088563e-06,
    8.019028070112067e-07,   -7.159429012640293e-07,  -1.1411668582642765e-07,
    6.71403208211179e-08,    1.5275091627328207e-08,  -5.97601858702153e-09,
    -1.9239639075523584e-09, 4.867284746999855e-10,   2.2822977304416027e-10,
    -3.369658809467599e-11,  -2.5478524846182764e-11, 1.5415224084404345e-12,
    2.6692084793503097e-12,  4.7779860120294263e-14,  -2.6108026943919936e-13,
    -2.4844568997288965e-14, 2.3648362025776172e-14,  4.250001550435632e-15,
    -1.957638458101618e-15,  -5.577863546871022e-16,  1.4462420374511873e-16,
    6.359137908842823e-17,   -9.038975222801693e-18,  -6.6046461226052366e-18,
};

// The first N of them as coefficients of powers of u.  Their sizes fall like 0.3^k, faster than
// those of T_k grow, (1+√2)^k: the sum of powers loses no digits.
template <std::size_t N>
constexpr std::array<double, N> mills_powers() {
  std::array<double, N> powers{}, T{1.0}, T_next{0.0, 1.0};
  for (std::size_t k = 0; k < N; ++k) {
    std::array<double, N> T_after{};
    for (std::size_t i = 0; i < N; ++i) {
      powers[i] += mills_series[k] * T[i];
      T_after[i] = (i > 0 ? 2.0 * T_next[i - 1] : 0.0) - T[i];
    }
    T = T_next;
    T_next = T_after;
  }
  return powers;
}

}  // namespace candor
