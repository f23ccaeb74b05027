// SPDX-License-Identifier: MIT
#include <candor/covariance/prior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <random>
#include <string>

namespace candor {
namespace {

// Independent standard normals by Box and Muller's transform: std::normal_distribution may differ
// between standard libraries, the bits of std::mt19937_64 may not.
Matrix standard_normals(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  // (0, 1]: the logarithm below must not see 0.
  const auto uniform = [&] { return (static_cast<double>(bits() >> 11U) + 1.0) * 0x1p-53; };
  const double two_pi = 2.0 * std::acos(-1.0);
  Matrix normals(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; i += 2) {
      const double radius = std::sqrt(-2.0 * std::log(uniform()));
      const double angle = two_pi * uniform();
      normals(i, j) = radius * std::cos(angle);
      if (i + 1 < rows) normals(i + 1, j) = radius * std::sin(angle);
    }
  }
  return normals;
}

}  // namespace

PriorDraws draw_from_prior(const Covariance& covariance, const Matrix& X, Index count,
                           std::uint64_t seed) {
  if (count < 0)
    throw InvalidInput("count is " + std::to_string(count) + ": it must not be negative");
  const Gram gram(covariance, X);
  Matrix K(gram.size(), gram.size());
  gram.block(0, 0, K);
  const JitteredCholesky factor = jittered_cholesky(K);
  Matrix values = standard_normals(gram.size(), count, seed);
  if (count > 0) blas::trmm(blas::Side::left, 1.0, factor.L, blas::Op::none, values);
  return {.values = std::move(values), .jitter = factor.jitter};
}

}  // namespace candor
