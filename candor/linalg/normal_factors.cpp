// SPDX-License-Identifier: MIT
#include <candor/linalg/mills_series.hpp>
#include <candor/linalg/normal_factors.hpp>
#include <candor/linalg/vector_exp.hpp>

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace candor {
namespace {

// All of the following is inlined into one loop per instruction set, and vectorised there by the
// compiler: no branches, no calls.

constexpr Index group = 8;  // the loop runs over whole groups of this many
constexpr double inv_sqrt_2pi = 0.3989422804014327;
constexpr double farthest = 1e50;  // whose fifth power is finite
constexpr double last_pdf = 37.5;  // φ of it is 1e-306

[[gnu::always_inline]] inline double where(std::uint64_t mask, double a, double b) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & mask) |
                               (std::bit_cast<std::uint64_t>(b) & ~mask));
}

// All ones where a < b, for a, b ≥ 0, whose bits are ordered as they are: a comparison of doubles the
// compiler would make a branch.
[[gnu::always_inline]] inline std::uint64_t is_below(double a, double b) {
  const std::uint64_t gap = std::bit_cast<std::uint64_t>(a) - std::bit_cast<std::uint64_t>(b);
  return std::uint64_t{0} - (gap >> 63U);
}

// φ(x) for 0 ≤ x ≤ 37.5.  Half an ulp of x² is x²/2 ulps of exp(-x²/2), so x² is taken in two parts,
// of which the first is exact.
[[gnu::always_inline]] inline double pdf(double x) {
  constexpr std::uint64_t upper_bits = ~std::uint64_t{0x7ffffff};
  const double high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & upper_bits);
  const double low = x - high;
  ReducedExponent exponent = reduced(-0.5 * high * high);
  exponent.t += -0.5 * low * (x + high);
  return inv_sqrt_2pi * exp_of(exponent);
}

// (K₃ - x)(x + 4): four sums in u⁴ side by side.
[[gnu::always_inline]] inline double series_sum(double u) {
  constexpr std::size_t terms = 32;  // the next is 1.4e-16
  constexpr std::array<double, terms> c = mills_powers<terms>();
  const double u2 = u * u, u4 = u2 * u2;
  double s0 = c[terms - 4], s1 = c[terms - 3], s2 = c[terms - 2], s3 = c[terms - 1];
#pragma GCC unroll 8
  for (std::size_t k = terms - 4; k >= 4; k -= 4) {
    s0 = c[k - 4] + u4 * s0;
    s1 = c[k - 3] + u4 * s1;
    s2 = c[k - 2] + u4 * s2;
    s3 = c[k - 1] + u4 * s3;
  }
  return (s0 + u * s1) + u2 * (s2 + u * s3);
}

// With D = x K₃ + 2 and E = x D + K₃:  K₁ = E/D,  1/K₂ = K₃/D.
[[gnu::always_inline]] inline void factors_loop(double* columns, Index stride, Index count) {
  const double* const z = columns;
  double* const scaled = columns + stride;
  double* const missing = columns + 2 * stride;
  double* const r = columns + 3 * stride;
  double* const q = columns + 4 * stride;
  double* const p = columns + 5 * stride;
#pragma GCC ivdep
  for (Index i = 0; i < count; ++i) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(z[i]);
    const std::uint64_t is_left = std::uint64_t{0} - (bits >> 63U);
    const double magnitude = std::bit_cast<double>(bits & ~(std::uint64_t{1} << 63U));
    const double x = where(is_below(magnitude, farthest), magnitude, farthest);
    const double inv_distance = 1.0 / (x + mills_centre);
    const double u = 1.0 - 2.0 * mills_centre * inv_distance;
    const double K3 = x + series_sum(u) * inv_distance;
    const double D = x * K3 + 2.0, E = x * D + K3;
    const double inv_DE = 1.0 / (D * E);
    const double inv_D = E * inv_DE, inv_K1 = D * D * inv_DE;
    const double q_left = K3 * inv_D;

    const std::uint64_t is_near = is_below(x, last_pdf);
    const double density = where(is_near, pdf(where(is_near, x, 0.0)), 0.0);
    const double tail = density * inv_K1;
    const double r_right = density / (1.0 - tail);
    const double q_right = r_right + x;

    scaled[i] = where(is_left, inv_sqrt_2pi * inv_K1, 1.0 - tail);
    missing[i] = where(is_left, 1.0, tail);
    r[i] = where(is_left, x + q_left, r_right);
    q[i] = where(is_left, q_left, q_right);
    p[i] = where(is_left, 2.0 * inv_D - q_left * q_left, 1.0 - r_right * q_right);
  }
}

void factors_portable(double* columns, Index stride, Index count) {
  factors_loop(columns, stride, count);
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] void factors_avx2(double* columns, Index stride, Index count) {
  factors_loop(columns, stride, count);
}

[[gnu::target("avx512f,avx512dq,fma")]] void factors_avx512(double* columns, Index stride,
                                                            Index count) {
  factors_loop(columns, stride, count);
}

using Loop = void (*)(double*, Index, Index);
Loop best_loop() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    return factors_avx512;
  }
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_avx2 ? factors_avx2 : factors_portable;
}

#else

auto best_loop() { return factors_portable; }

#endif

}  // namespace

NormalFactors::NormalFactors(Index most) : columns_((most + group - 1) / group * group, 6) {
  columns_.col(0).setZero();
}

void NormalFactors::evaluate(Index count) {
  assert(count <= columns_.rows());
  static const auto loop = best_loop();
  loop(columns_.data(), columns_.rows(), (count + group - 1) / group * group);
}

}  // namespace candor
