// SPDX-License-Identifier: MIT
#include <candor/data/number_encoding.hpp>

#include <candor/data/number_moments.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace candor {
namespace {

constexpr double heavy_kurtosis = 10.0;  // 3 for a normal distribution
constexpr double fewest_for_ranks = 20.0;
constexpr std::size_t most_knots = 200;
constexpr double farthest = 1e6;  // standard deviations; beyond, rows are equally strange

double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * p); }

// Numbers in ascending order with what each counts.
struct Sorted {
  std::vector<double> values, weights;
  double total = 0.0;

  Sorted(std::vector<double> numbers, std::vector<double> counts)
      : values(std::move(numbers)), weights(std::move(counts)) {
    if (weights.empty()) {
      std::sort(values.begin(), values.end());
      weights.assign(values.size(), 1.0);
    } else {
      std::vector<std::pair<double, double>> both;
      for (std::size_t i = 0; i < values.size(); ++i) both.emplace_back(values[i], weights[i]);
      std::sort(both.begin(), both.end());
      for (std::size_t i = 0; i < both.size(); ++i) std::tie(values[i], weights[i]) = both[i];
    }
    for (const double w : weights) total += w;
  }

  // Where the values that equal that of `first` end, and what they count together.
  [[nodiscard]] std::pair<std::size_t, double> ties(std::size_t first) const {
    std::size_t last = first;
    double count = 0.0;
    for (; last < values.size() && values[last] == values[first]; ++last) count += weights[last];
    return {last, count};
  }

  [[nodiscard]] bool holds_two_values() const {
    const std::size_t second = ties(0).first;
    return second == values.size() || ties(second).first == values.size();
  }
};

// One knot per distinct value at the normal quantile of its middle rank; where there are too
// many, those that advance the score by a step.
void place_knots(ColumnEncoder& column, const Sorted& sorted) {
  const double reach = normal_quantile(1.0 - 0.5 / sorted.total);
  const double step = 2.0 * reach / static_cast<double>(most_knots - 1);
  double before = 0.0;
  for (std::size_t first = 0; first < sorted.values.size();) {
    const auto [last, count] = sorted.ties(first);
    const double score = normal_quantile((before + 0.5 * count) / sorted.total);
    const bool is_end = first == 0 || last == sorted.values.size();
    if (is_end || score - column.scores.back() >= step) {
      column.knots.push_back(sorted.values[first]);
      column.scores.push_back(score);
    }
    before += count;
    first = last;
  }
}

double interpolate(const ColumnEncoder& column, double x) {
  const auto& [knots, scores] = std::tie(column.knots, column.scores);
  if (x <= knots.front()) return scores.front();
  if (x >= knots.back()) return scores.back();
  const auto right =
      static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), x) - knots.begin());
  const std::size_t left = right - 1;
  // Halves, so that knots at both ends of the range do not overflow.
  const double t = (0.5 * x - 0.5 * knots[left]) / (0.5 * knots[right] - 0.5 * knots[left]);
  return scores[left] + t * (scores[right] - scores[left]);
}

// Ties pull the scores off centre: mean 0 and sd 1 over the training cells again.
void standardise_scores(ColumnEncoder& column, const Sorted& sorted) {
  std::vector<double> encoded;
  encoded.reserve(sorted.values.size());
  for (const double x : sorted.values) encoded.push_back(interpolate(column, x));
  const NumberMoments moments = moments_of(encoded, sorted.weights);
  if (!(moments.sd > 0.0)) return;
  for (double& score : column.scores) score = (score - moments.mean) / moments.sd;
}

}  // namespace

double encode_number(const ColumnEncoder& column, double x) {
  if (!column.knots.empty()) return interpolate(column, x);
  const double z = (0.5 * x - 0.5 * column.center) / (0.5 * column.scale);
  return std::clamp(z, -farthest, farthest);
}

double encode_missing(const ColumnEncoder& column) {
  return column.fill.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string note_on_missing(const ColumnEncoder& column, Index cells) {
  const auto filled = [&] {
    if (!column.knots.empty()) return fmt::format("{:.3g} standard deviations", *column.fill);
    return fmt::format("{:.6g}", column.center + column.scale * *column.fill);
  };
  return fmt::format("column {}: {} missing, and none was in training: taken as {}",
                     shown(column.name),
                     cells == 1 ? "1 cell is" : fmt::format("{} cells are", cells),
                     column.fill ? filled() : "not known");
}

void fit_numbers(ColumnEncoder& column, std::vector<double> values, std::vector<double> weights) {
  const Sorted sorted(std::move(values), std::move(weights));
  const NumberMoments moments = moments_of(sorted.values, sorted.weights);
  column.center = moments.mean;
  // Twice the smallest normal double: its half is still no denormal.
  column.scale =
      moments.sd > 0.0 ? std::max(moments.sd, 2.0 * std::numeric_limits<double>::min()) : 1.0;
  if (!(moments.sd > 0.0)) column.fill = 0.0;  // of one value: a missing cell would have it, too
  if (sorted.total >= fewest_for_ranks && moments.kurtosis >= heavy_kurtosis &&
      !sorted.holds_two_values()) {
    place_knots(column, sorted);
    standardise_scores(column, sorted);
  }
}

}  // namespace candor
