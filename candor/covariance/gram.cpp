// SPDX-License-Identifier: MIT
#include <candor/covariance/gram.hpp>

#include <candor/covariance/check.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cassert>
#include <string>
#include <vector>

namespace candor {
namespace {

// Temporaries of this size stay in a second-level cache while a block is built.
constexpr Index evaluation_tile = 128;
// Larger tiles for the adjoint, whose maker may need a product over all rows for each.
constexpr Index pullback_rows = 192;
constexpr Index pullback_cols = 768;

void check_table(const Covariance& covariance, const Matrix& X) {
  if (X.rows() == 0) throw InvalidInput("X has 0 rows: it must have at least 1");
  check(covariance, X.cols());
  check_inputs("X", X);
}

RowPairs pairs_of(const Matrix& X, bool all_known, Index first_row, Index rows, Index first_col,
                  Index cols) {
  return {.X = X.middleRows(first_row, rows),
          .Z = X.middleRows(first_col, cols),
          .same_table = true,
          .first_row = first_row,
          .first_col = first_col,
          .all_known = all_known};
}

struct Tile {
  Index first_row, first_col, rows, cols;
};

// The lower triangle: square tiles on the diagonal, wide ones below it.
std::vector<Tile> lower_tiles(Index n) {
  std::vector<Tile> tiles;
  for (Index i = 0; i < n; i += pullback_rows) {
    const Index rows = std::min(pullback_rows, n - i);
    tiles.push_back({i, i, rows, rows});
    for (Index j = 0; j < i; j += pullback_cols) {
      tiles.push_back({i, j, rows, std::min(pullback_cols, i - j)});
    }
  }
  return tiles;
}

// A tile of K̄ is handed on in pieces whose temporaries stay in cache.
Vector tile_pullback(const Covariance& covariance, const Matrix& X, bool all_known, Index first_row,
                     Index first_col, const MatrixRef& K_bar) {
  Vector sum = Vector::Zero(log_parameter_count(covariance));
  Vector gradient(sum.size());
  const Index rows = K_bar.rows();
  for (Index j = 0; j < K_bar.cols(); j += evaluation_tile) {
    const Index cols = std::min(evaluation_tile, K_bar.cols() - j);
    static_cast<void>(
        covariance.pullback(pairs_of(X, all_known, first_row, rows, first_col + j, cols),
                            K_bar.middleCols(j, cols), gradient));
    sum += gradient;
  }
  return sum;
}

}  // namespace

Gram::Gram(const Covariance& covariance, const Matrix& X)
    : covariance_(&covariance), X_(&X), all_known_(!X.hasNaN()) {
  check_table(covariance, X);
}

Index Gram::size() const { return X_->rows(); }

void Gram::block(Index first_row, Index first_col, MatrixOut out) const {
  assert(first_row >= 0 && first_row + out.rows() <= size());
  assert(first_col >= 0 && first_col + out.cols() <= size());
  for (Index j = 0; j < out.cols(); j += evaluation_tile) {
    for (Index i = 0; i < out.rows(); i += evaluation_tile) {
      const Index rows = std::min(evaluation_tile, out.rows() - i);
      const Index cols = std::min(evaluation_tile, out.cols() - j);
      covariance_->evaluate(pairs_of(*X_, all_known_, first_row + i, rows, first_col + j, cols),
                            out.block(i, j, rows, cols));
    }
  }
}

Vector pullback(const Covariance& covariance, const Matrix& X, const AdjointBlock& K_bar,
                Threads threads) {
  check_table(covariance, X);
  const bool all_known = !X.hasNaN();
  const std::vector<Tile> tiles = lower_tiles(X.rows());
  // One column per tile, added up in order at the end: the same sum at any number of threads.
  Matrix gradients(log_parameter_count(covariance), static_cast<Index>(tiles.size()));
  parallel_for(gradients.cols(), threads, [&](Index t) {
    const auto [i, j, rows, cols] = tiles[static_cast<std::size_t>(t)];
    Matrix tile_bar(rows, cols);
    K_bar(i, j, tile_bar);
    const double images =
        i == j ? 1.0 : 2.0;  // a tile below the diagonal stands for its mirror too
    gradients.col(t) = images * tile_pullback(covariance, X, all_known, i, j, tile_bar);
  });
  Vector total = Vector::Zero(gradients.rows());
  for (Index t = 0; t < gradients.cols(); ++t) total += gradients.col(t);
  return total;
}

}  // namespace candor
