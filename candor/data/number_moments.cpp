// SPDX-License-Identifier: MIT
#include <candor/data/number_moments.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace candor {

NumberMoments moments_of(std::span<const double> values, std::span<const double> weights) {
  if (values.empty()) return {};
  const auto [low, high] = std::ranges::minmax(values);
  if (low == high) return {low, 0.0, 0.0};  // a sum would round, and its error be a deviation
  const double largest = std::max(std::abs(low), std::abs(high));
  const double n = weights.empty() ? static_cast<double>(values.size())
                                   : std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto average = [&](const auto& of) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += of(values[i] / largest) * (weights.empty() ? 1.0 : weights[i]) / n;
    }
    return sum;
  };
  const double mean = average([](double x) { return x; });
  const double sd = std::sqrt(average([&](double x) { return std::pow(x - mean, 2); }));
  const double fourth =
      sd > 0.0 ? average([&](double x) { return std::pow((x - mean) / sd, 4); }) : 0.0;
  return {mean * largest, sd * largest, fourth};
}

}  // namespace candor
