// SPDX-License-Identifier: MIT
#include <candor/covariance/prior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/random.hpp>

#include <string>
#include <utility>

namespace candor {

PriorDraws draw_from_prior(const Covariance& covariance, const Matrix& X, Index count,
                           std::uint64_t seed) {
  if (count < 0)
    throw InvalidInput("count is " + std::to_string(count) + ": it must not be negative");
  const Gram gram(covariance, X);
  Matrix K(gram.size(), gram.size());
  gram.block(0, 0, K);
  const JitteredCholesky factor = jittered_cholesky(K);
  Matrix values = Random(seed).normals(gram.size(), count);
  if (count > 0) blas::trmm(blas::Side::left, 1.0, factor.L, blas::Op::none, values);
  return {.values = std::move(values), .jitter = factor.jitter};
}

}  // namespace candor
