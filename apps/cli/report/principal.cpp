// SPDX-License-Identifier: MIT
#include "principal.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <map>
#include <utility>

namespace candor::cli {
namespace {

constexpr Index most_columns = 1000;
constexpr Index most_rows = 1000;
constexpr std::size_t most_levels = 50;

// At most `most_rows` rows, evenly spaced.
Matrix some_rows(const Matrix& X) {
  const Index n = std::min(X.rows(), most_rows);
  Matrix rows(n, X.cols());
  for (Index i = 0; i < n; ++i) rows.row(i) = X.row(i * X.rows() / n);
  return rows;
}

// Right singular vectors of a centred matrix with more columns than it is worth squaring.
Matrix wide_directions(const Matrix& centred) {
  const Matrix rows = some_rows(centred);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(rows * rows.transpose());
  return rows.transpose() * solver.eigenvectors().rightCols(std::min<Index>(2, rows.rows()));
}

Matrix narrow_directions(const Matrix& centred) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(centred.transpose() * centred);
  return solver.eigenvectors().rightCols(std::min<Index>(2, centred.cols()));
}

// Which of d and -d is a convention: the same picture on every machine.
Vector oriented(Vector direction) {
  const double norm = direction.norm();
  if (!(norm > 0.0)) return Vector::Zero(direction.size());
  Index largest = 0;
  direction.cwiseAbs().maxCoeff(&largest);
  return direction / (direction(largest) < 0.0 ? -norm : norm);
}

std::vector<double> levels_of(const Vector& column) {
  std::map<double, Index> count;
  for (const double value : column) ++count[value];
  std::vector<std::pair<Index, double>> order;
  for (const auto& [value, rows] : count) order.emplace_back(-rows, value);
  std::sort(order.begin(), order.end());
  std::vector<double> levels;
  for (std::size_t k = 0; k < std::min(order.size(), most_levels); ++k)
    levels.push_back(order[k].second);
  return levels;
}

}  // namespace

Principal principal_directions(const Matrix& X) {
  const Matrix centred = X.rowwise() - X.colwise().mean();
  const Matrix ascending =
      X.cols() > most_columns ? wide_directions(centred) : narrow_directions(centred);
  Principal result{.directions = Matrix::Zero(X.cols(), 2), .share = {0.0, 0.0}};
  const double total = centred.squaredNorm();
  for (Index k = 0; k < ascending.cols(); ++k) {
    result.directions.col(k) = oriented(ascending.col(ascending.cols() - 1 - k));
    if (total > 0.0) result.share(k) = (centred * result.directions.col(k)).squaredNorm() / total;
  }
  return result;
}

Matrix with_indicators(const Matrix& X, const std::vector<Index>& discrete) {
  std::vector<Vector> columns;
  for (Index j = 0; j < X.cols(); ++j) {
    if (std::find(discrete.begin(), discrete.end(), j) == discrete.end()) {
      columns.emplace_back(X.col(j));
      continue;
    }
    for (const double level : levels_of(X.col(j)))
      columns.emplace_back((X.col(j).array() == level).cast<double>());
  }
  Matrix wide(X.rows(), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) wide.col(static_cast<Index>(j)) = columns[j];
  return wide;
}

}  // namespace candor::cli
