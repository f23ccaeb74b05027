// SPDX-License-Identifier: MIT
#include <candor/covariance/elementwise.hpp>

#include <bit>
#include <cassert>
#include <cstdint>

namespace candor {
namespace {

// Inlined into one caller per instruction set, and vectorised there by the compiler: no branches,
// no calls.
[[gnu::always_inline]] inline double exp_between_minus_708_and_0(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln_2_high = 0x1.62e42fefa0000p-1;  // trailing zeros: n × this is exact
  constexpr double ln_2_low = 0x1.cf79abc9e3b3ap-40;
  constexpr double to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const double shifted = x * log2_e + to_integer;
  const double n = shifted - to_integer;
  const double r = (x - n * ln_2_high) - n * ln_2_low;  // |r| ≤ ½ ln 2
  // Σ r^k/k! up to k = 13: the rest is below 1e-17.  In pairs, which the CPU computes side by side;
  // 1 and r join last, so that no rounding before theirs counts.
  const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const double p23 = 0.5 + r * (1.0 / 6.0), p45 = 1.0 / 24.0 + r * (1.0 / 120.0);
  const double p67 = 1.0 / 720.0 + r * (1.0 / 5040.0);
  const double p89 = 1.0 / 40320.0 + r * (1.0 / 362880.0);
  const double p1011 = 1.0 / 3628800.0 + r * (1.0 / 39916800.0);
  const double p1213 = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
  const double from_2 = (p23 + r2 * p45) + r4 * (p67 + r2 * p89) + r8 * (p1011 + r2 * p1213);
  const double p = 1.0 + (r + r2 * from_2);
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(shifted) + 1023U;
  return p * std::bit_cast<double>(exponent << 52U);
}

[[gnu::always_inline]] inline void exp_loop(double rate, const double* x, double* values,
                                            Index count) {
  // Two loops: with the bound inside the second one the compiler makes it a branch.
  for (Index i = 0; i < count; ++i) values[i] = rate * x[i] > -708.0 ? rate * x[i] : -708.0;
  for (Index i = 0; i < count; ++i) values[i] = exp_between_minus_708_and_0(values[i]);
}

[[gnu::always_inline]] inline void weighted_exp_loop(double rate, const double* x, double factor,
                                                     const double* weights, double* values,
                                                     Index count) {
  for (Index i = 0; i < count; ++i) values[i] = rate * x[i] > -708.0 ? rate * x[i] : -708.0;
  for (Index i = 0; i < count; ++i) {
    values[i] = factor * weights[i] * exp_between_minus_708_and_0(values[i]);
  }
}

[[gnu::always_inline]] inline void difference_loop(const double* x, double z, double scale,
                                                   double* sums, Index count) {
  for (Index i = 0; i < count; ++i) {
    const double difference = (x[i] - z) * scale;
    sums[i] += difference * difference;
  }
}

void exp_portable(double rate, const double* x, double* values, Index count) {
  exp_loop(rate, x, values, count);
}

void weighted_exp_portable(double rate, const double* x, double factor, const double* weights,
                           double* values, Index count) {
  weighted_exp_loop(rate, x, factor, weights, values, count);
}

void differences_portable(const double* x, double z, double scale, double* sums, Index count) {
  difference_loop(x, z, scale, sums, count);
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] void exp_avx2(double rate, const double* x, double* values,
                                          Index count) {
  exp_loop(rate, x, values, count);
}

[[gnu::target("avx2,fma")]] void weighted_exp_avx2(double rate, const double* x, double factor,
                                                   const double* weights, double* values,
                                                   Index count) {
  weighted_exp_loop(rate, x, factor, weights, values, count);
}

[[gnu::target("avx2,fma")]] void differences_avx2(const double* x, double z, double scale,
                                                  double* sums, Index count) {
  difference_loop(x, z, scale, sums, count);
}

bool has_avx2() {
  static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return found;
}

#else

bool has_avx2() { return false; }
void exp_avx2(double rate, const double* x, double* values, Index count) {
  exp_loop(rate, x, values, count);
}
void weighted_exp_avx2(double rate, const double* x, double factor, const double* weights,
                       double* values, Index count) {
  weighted_exp_loop(rate, x, factor, weights, values, count);
}
void differences_avx2(const double* x, double z, double scale, double* sums, Index count) {
  difference_loop(x, z, scale, sums, count);
}

#endif

}  // namespace

void exp_decay(double rate, const MatrixRef& x, MatrixOut values) {
  assert(rate <= 0.0 && x.rows() == values.rows() && x.cols() == values.cols());
  const auto exp = has_avx2() ? exp_avx2 : exp_portable;
  for (Index j = 0; j < x.cols(); ++j) exp(rate, x.col(j).data(), values.col(j).data(), x.rows());
}

Vector weighted_exp_decay(double rate, const MatrixRef& x, double factor, const MatrixRef& weights,
                          MatrixOut values) {
  assert(rate <= 0.0 && x.rows() == values.rows() && x.cols() == values.cols());
  assert(weights.rows() == x.rows() && weights.cols() == x.cols());
  const auto exp = has_avx2() ? weighted_exp_avx2 : weighted_exp_portable;
  Vector sums(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    exp(rate, x.col(j).data(), factor, weights.col(j).data(), values.col(j).data(), x.rows());
    sums[j] = values.col(j).sum();  // while it is in the nearest cache
  }
  return sums;
}

void add_squared_differences(const VectorRef& x, double z, double scale, Eigen::Ref<Vector> sums) {
  assert(x.size() == sums.size());
  const auto add = has_avx2() ? differences_avx2 : differences_portable;
  add(x.data(), z, scale, sums.data(), sums.size());
}

}  // namespace candor
