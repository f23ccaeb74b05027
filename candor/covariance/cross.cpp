// SPDX-License-Identifier: MIT
#include <candor/covariance/cross.hpp>

#include <candor/covariance/check.hpp>
#include <candor/linalg/check.hpp>

namespace candor {
namespace {

constexpr Index tile = 128;

}  // namespace

Matrix cross(const Covariance& covariance, const MatrixRef& X, const MatrixRef& Z,
             Threads threads) {
  check_same_size("columns of X", X.cols(), "columns of Z", Z.cols());
  check(covariance, X.cols());
  check_inputs("X", X);
  check_inputs("Z", Z);
  const bool all_known = !X.hasNaN() && !Z.hasNaN();
  Matrix K(X.rows(), Z.rows());
  const Index down = (X.rows() + tile - 1) / tile;
  const Index across = (Z.rows() + tile - 1) / tile;
  parallel_for(down * across, threads, [&](Index t) {
    const Index i = t % down * tile;
    const Index j = t / down * tile;
    const Index rows = std::min(tile, X.rows() - i);
    const Index cols = std::min(tile, Z.rows() - j);
    covariance.evaluate(
        {.X = X.middleRows(i, rows), .Z = Z.middleRows(j, cols), .all_known = all_known},
        K.block(i, j, rows, cols));
  });
  return K;
}

Vector prior_variance(const Covariance& covariance, const MatrixRef& X) {
  check(covariance, X.cols());
  check_inputs("X", X);
  return covariance.diagonal(X, Rows::test);
}

}  // namespace candor
