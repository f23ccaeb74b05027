// SPDX-License-Identifier: MIT
// Tables with wrong labels planted in them, and clean rows to test on.
//
//   ring      x uniform on [-1, 1]², label x₁² + x₂² > ½: a sharp boundary
//   mixture   two normals to each class, which overlap: about 8 % of clean labels lie on the
//             other side of the best boundary (the centres of Ripley's synthetic table)
//
// Columns are standardised by the training rows.  In `by_class` noise a true +1 is flipped with 1.5
// times the rate, a true -1 with half of it.
#pragma once

#include "dice.hpp"

#include <candor/linalg/types.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace candor::bench {

struct FlipRates {
  double positive, negative;  // ε₊, ε₋
};

struct PlantedTable {
  Matrix X, X_test;
  Vector y;                 // as recorded
  Vector y_test;            // clean
  std::vector<bool> wrong;  // where y was flipped
  FlipRates planted;
  double mean_rate;    // of all rows: the truth for a model with one ε
  double wrong_share;  // of these rows
};

struct CleanRows {
  Matrix X;
  Vector y;
};

inline CleanRows draw_clean(const std::string& data, Index n, Dice& dice) {
  CleanRows rows{Matrix(n, 2), Vector(n)};
  constexpr std::array<std::array<double, 2>, 2> centre_x{{{-0.7, 0.3}, {-0.3, 0.4}}};
  constexpr std::array centre_y{0.3, 0.7};
  for (Index i = 0; i < n; ++i) {
    if (data == "ring") {
      rows.X(i, 0) = dice.uniform(-1.0, 1.0);
      rows.X(i, 1) = dice.uniform(-1.0, 1.0);
      rows.y[i] = rows.X.row(i).squaredNorm() > 0.5 ? 1.0 : -1.0;
    } else if (data == "mixture") {
      const auto side = static_cast<std::size_t>(dice.below(2));
      const auto hump = static_cast<std::size_t>(dice.below(2));
      rows.X(i, 0) = centre_x[side][hump] + std::sqrt(0.03) * dice.normal();
      rows.X(i, 1) = centre_y[side] + std::sqrt(0.03) * dice.normal();
      rows.y[i] = side == 1 ? 1.0 : -1.0;
    } else {
      throw std::invalid_argument("data is " + data + ": it must be ring or mixture");
    }
  }
  return rows;
}

inline PlantedTable plant(const std::string& data, const FlipRates& rates, Index n, Index n_test,
                          std::uint64_t seed) {
  Dice dice(seed), test_dice(seed + 1000003), noise(seed + 2000003);
  CleanRows rows = draw_clean(data, n, dice), test = draw_clean(data, n_test, test_dice);
  const Eigen::RowVectorXd mean = rows.X.colwise().mean();
  const Eigen::RowVectorXd deviation =
      (rows.X.rowwise() - mean).colwise().norm() / std::sqrt(static_cast<double>(n));
  const auto standardised = [&](const Matrix& X) {
    return Matrix((X.rowwise() - mean).array().rowwise() / deviation.array());
  };
  PlantedTable table{standardised(rows.X), standardised(test.X), rows.y, test.y, {}, rates, 0, 0};
  for (Index i = 0; i < n; ++i) {
    const double rate = rows.y[i] > 0.0 ? rates.positive : rates.negative;
    const bool wrong = noise.happens(rate);
    table.wrong.push_back(wrong);
    table.y[i] = wrong ? -rows.y[i] : rows.y[i];
    table.mean_rate += rate / static_cast<double>(n);
    table.wrong_share += (wrong ? 1.0 : 0.0) / static_cast<double>(n);
  }
  return table;
}

}  // namespace candor::bench
