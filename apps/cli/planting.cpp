// SPDX-License-Identifier: MIT
#include <apps/cli/planting.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace candor::cli {
namespace {

// How fast the chance to be chosen falls from the row nearest to another class (1) to the farthest.
constexpr double boundary_falloff = 8.0;

// The standard fixes what the engine returns but not what its distributions make of it, so that
// uniform numbers are made here: the same seed plants the same labels everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return (static_cast<double>(engine_() >> 11U) + 0.5) * 0x1p-53; }  // (0, 1)
  int below(int bound) { return std::min(static_cast<int>(uniform() * bound), bound - 1); }

 private:
  std::mt19937_64 engine_;
};

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// The `count` rows with the largest u^(1/weight): a draw without replacement by weight.
std::vector<Index> draw(const std::vector<Index>& rows, const std::vector<double>& weight,
                        std::size_t count, Dice& dice) {
  std::vector<std::pair<double, Index>> keys;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    keys.emplace_back(std::log(dice.uniform()) / weight[k], rows[k]);
  }
  std::ranges::sort(keys, std::greater{});
  std::vector<Index> drawn;
  for (std::size_t k = 0; k < std::min(count, keys.size()); ++k) drawn.push_back(keys[k].second);
  std::ranges::sort(drawn);
  return drawn;
}

std::size_t share_of(double rate, std::size_t rows) {
  return static_cast<std::size_t>(std::llround(rate * static_cast<double>(rows)));
}

int another_class(int code, int classes, Dice& dice) {
  const int other = dice.below(classes - 1);
  return other < code ? other : other + 1;
}

std::vector<Index> rows_with(const std::vector<int>& codes, auto&& predicate) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] >= 0 && predicate(codes[i])) rows.push_back(static_cast<Index>(i));
  }
  return rows;
}

// (x - z)², where what is not known (NaN) has mean 0 and variance 1.
double expected_square(double x, double z) {
  const double apart = (std::isnan(x) ? 0.0 : x) - (std::isnan(z) ? 0.0 : z);
  return apart * apart + (std::isnan(x) ? 1.0 : 0.0) + (std::isnan(z) ? 1.0 : 0.0);
}

struct Nearest {
  double ratio = 0.0;  // distance to another class over distance to one's own
  int other = 0;       // class of the nearest row of another class
};

Nearest nearest_classes(const std::vector<int>& codes, const Matrix& X,
                        const std::vector<Index>& discrete, Index i) {
  double own = std::numeric_limits<double>::infinity(), other = own;
  Nearest result;
  Eigen::RowVectorXd squares(X.cols());
  for (Index j = 0; j < X.rows(); ++j) {
    if (j == i || codes[at(j)] < 0) continue;
    for (Index c = 0; c < X.cols(); ++c) squares[c] = expected_square(X(i, c), X(j, c));
    for (const Index c : discrete) squares[c] = X(i, c) == X(j, c) ? 0.0 : 1.0;
    const double distance = squares.sum();
    if (codes[at(j)] == codes[at(i)]) {
      own = std::min(own, distance);
    } else if (distance < other) {
      other = distance;
      result.other = codes[at(j)];
    }
  }
  result.ratio = std::isinf(own) ? 0.0 : other / (own + std::numeric_limits<double>::min());
  return result;
}

}  // namespace

std::vector<Planted> plant_uniform(const std::vector<int>& codes, int classes, double rate,
                                   std::uint64_t seed) {
  Dice dice(seed);
  const std::vector<Index> rows = rows_with(codes, [](int) { return true; });
  const std::vector<double> weight(rows.size(), 1.0);
  std::vector<Planted> planted;
  for (const Index row : draw(rows, weight, share_of(rate, rows.size()), dice)) {
    planted.push_back({row, another_class(codes[at(row)], classes, dice)});
  }
  return planted;
}

std::vector<Planted> plant_by_class(const std::vector<int>& codes, int classes,
                                    const std::map<int, double>& rates, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Planted> planted;
  for (const auto& [label, rate] : rates) {
    const std::vector<Index> rows =
        rows_with(codes, [wanted = label](int code) { return code == wanted; });
    const std::vector<double> weight(rows.size(), 1.0);
    for (const Index row : draw(rows, weight, share_of(rate, rows.size()), dice)) {
      planted.push_back({row, another_class(label, classes, dice)});
    }
  }
  std::ranges::sort(planted, {}, &Planted::row);
  return planted;
}

std::vector<Planted> plant_near_boundary(const std::vector<int>& codes, const Matrix& X,
                                         const std::vector<Index>& discrete, double rate,
                                         std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Index> rows = rows_with(codes, [](int) { return true; });
  std::vector<Nearest> nearest(codes.size());
  for (const Index row : rows) nearest[at(row)] = nearest_classes(codes, X, discrete, row);
  std::ranges::stable_sort(rows, {}, [&](Index row) { return nearest[at(row)].ratio; });
  std::vector<double> weight;
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    weight.push_back(
        std::exp(-boundary_falloff * static_cast<double>(rank) / static_cast<double>(rows.size())));
  }
  std::vector<Planted> planted;
  for (const Index row : draw(rows, weight, share_of(rate, rows.size()), dice)) {
    planted.push_back({row, nearest[at(row)].other});
  }
  return planted;
}

}  // namespace candor::cli
