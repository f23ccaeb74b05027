// SPDX-License-Identifier: MIT
#include <candor/data/number_encoding.hpp>

#include <candor/data/number_moments.hpp>

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace candor {
namespace {

constexpr double heavy_kurtosis = 10.0;  // 3 for a normal distribution
constexpr std::size_t fewest_for_ranks = 20;
constexpr std::size_t most_knots = 200;
constexpr double farthest = 1e6;  // standard deviations; beyond, rows are equally strange

double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * p); }

// One knot per distinct value at the normal quantile of its middle rank; where there are too
// many, those that advance the score by a step.
void place_knots(ColumnEncoder& column, const std::vector<double>& sorted) {
  const auto n = static_cast<double>(sorted.size());
  const double reach = normal_quantile(1.0 - 0.5 / n);
  const double step = 2.0 * reach / static_cast<double>(most_knots - 1);
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    while (last < sorted.size() && sorted[last] == sorted[first]) ++last;
    const double score = normal_quantile(0.5 * static_cast<double>(first + last) / n);
    const bool is_end = first == 0 || last == sorted.size();
    if (!is_end && score - column.scores.back() < step) continue;
    column.knots.push_back(sorted[first]);
    column.scores.push_back(score);
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
void standardise_scores(ColumnEncoder& column, const std::vector<double>& values) {
  std::vector<double> encoded;
  encoded.reserve(values.size());
  for (const double x : values) encoded.push_back(interpolate(column, x));
  const NumberMoments moments = moments_of(encoded);
  if (!(moments.sd > 0.0)) return;
  for (double& score : column.scores) score = (score - moments.mean) / moments.sd;
}

}  // namespace

double encode_number(const ColumnEncoder& column, double x) {
  if (!column.knots.empty()) return interpolate(column, x);
  const double z = (0.5 * x - 0.5 * column.center) / (0.5 * column.scale);
  return std::clamp(z, -farthest, farthest);
}

void fit_numbers(ColumnEncoder& column, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const NumberMoments moments = moments_of(values);
  column.center = moments.mean;
  // Twice the smallest normal double: its half is still no denormal.
  column.scale =
      moments.sd > 0.0 ? std::max(moments.sd, 2.0 * std::numeric_limits<double>::min()) : 1.0;
  const bool two_values = std::count(values.begin(), values.end(), values.front()) +
                              std::count(values.begin(), values.end(), values.back()) >=
                          static_cast<std::ptrdiff_t>(values.size());
  if (values.size() >= fewest_for_ranks && moments.kurtosis >= heavy_kurtosis && !two_values) {
    place_knots(column, values);
    standardise_scores(column, values);
  }
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : 0.5 * values[middle - 1] + 0.5 * values[middle];
  column.fill = encode_number(column, median);
}

}  // namespace candor
