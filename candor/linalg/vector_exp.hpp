// SPDX-License-Identifier: MIT
// Internal: exp(x) for -708 < x ≤ 0 to the last digit or so, for loops that the compiler vectorises.
//
//   x = n ln 2 + t,   exp(x) = 2ⁿ Σ t^k/k!
//
// Inlined into one caller per instruction set: no branches, no calls.
#pragma once

#include <bit>
#include <cstdint>

namespace candor {

struct ReducedExponent {
  double shifted;  // holds n in its low bits
  double t;        // |t| ≤ ½ ln 2
};

[[gnu::always_inline]] inline ReducedExponent reduced(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln_2_high = 0x1.62e42fefa0000p-1;  // trailing zeros: n × this is exact
  constexpr double ln_2_low = 0x1.cf79abc9e3b3ap-40;
  constexpr double to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const double shifted = x * log2_e + to_integer;
  const double n = shifted - to_integer;
  return {shifted, (x - n * ln_2_high) - n * ln_2_low};
}

// Up to k = 13: the rest is below 1e-17.  In pairs, which the CPU computes side by side; 1 and t
// join last, so that no rounding before theirs counts.
[[gnu::always_inline]] inline double exp_of(ReducedExponent x) {
  const double t = x.t, t2 = t * t, t4 = t2 * t2, t8 = t4 * t4;
  const double from_2 = (0.5 + t * (1.0 / 6.0)) + t2 * (1.0 / 24.0 + t * (1.0 / 120.0));
  const double from_6 =
      (1.0 / 720.0 + t * (1.0 / 5040.0)) + t2 * (1.0 / 40320.0 + t * (1.0 / 362880.0));
  const double from_10 = (1.0 / 3628800.0 + t * (1.0 / 39916800.0)) +
                         t2 * (1.0 / 479001600.0 + t * (1.0 / 6227020800.0));
  const double p = 1.0 + (t + t2 * (from_2 + t4 * from_6 + t8 * from_10));
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x.shifted) + 1023U;
  return p * std::bit_cast<double>(exponent << 52U);
}

}  // namespace candor
