// SPDX-License-Identifier: MIT
#include <candor/data/number_moments.hpp>

#include <algorithm>
#include <cmath>

namespace candor {

NumberMoments moments_of(std::span<const double> values) {
  double largest = 0.0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  if (largest == 0.0) return {};
  const auto n = static_cast<double>(values.size());
  double mean = 0.0;
  for (const double x : values) mean += x / largest / n;
  double second = 0.0;
  for (const double x : values) second += std::pow(x / largest - mean, 2) / n;
  const double sd = std::sqrt(second);
  double fourth = 0.0;
  if (sd > 0.0)
    for (const double x : values) fourth += std::pow((x / largest - mean) / sd, 4) / n;
  return {mean * largest, sd * largest, fourth};
}

}  // namespace candor
