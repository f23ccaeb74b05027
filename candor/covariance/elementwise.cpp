// SPDX-License-Identifier: MIT
#include <candor/covariance/elementwise.hpp>

#include <candor/linalg/vector_exp.hpp>

#include <cassert>

namespace candor {
namespace {

// Inlined into one caller per instruction set, and vectorised there by the compiler.
[[gnu::always_inline]] inline void exp_loop(double rate, const double* x, double* values,
                                            Index count) {
  // Two loops: with the bound inside the second one the compiler makes it a branch.
  for (Index i = 0; i < count; ++i) values[i] = rate * x[i] > -708.0 ? rate * x[i] : -708.0;
  for (Index i = 0; i < count; ++i) values[i] = exp_of(reduced(values[i]));
}

[[gnu::always_inline]] inline void weighted_exp_loop(double rate, const double* x, double factor,
                                                     const double* weights, double* values,
                                                     Index count) {
  for (Index i = 0; i < count; ++i) values[i] = rate * x[i] > -708.0 ? rate * x[i] : -708.0;
  for (Index i = 0; i < count; ++i) {
    values[i] = factor * weights[i] * exp_of(reduced(values[i]));
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
