// SPDX-License-Identifier: MIT
#include <candor/learning/sample.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace candor {
namespace {

// A finaliser in the manner of MurmurHash3: every bit of the input moves half of the output's.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 33U)) * 0xff51afd7ed558ccdULL;
  h = (h ^ (h >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33U);
}

// Equal numbers have equal bits here: -0 is 0, and there is one NaN.
std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(std::isnan(x) ? rate_not_known : x + 0.0);
}

std::uint64_t fingerprint(const Matrix& X, const Observations& observations, Index row) {
  const Observation label = observations.row(row);
  std::uint64_t h = mix(bits(label.y) + 1U);
  h = mix(h ^ bits(label.known_flip_rate));
  h = mix(h ^ bits(observations.weight_of(row)));
  for (Index c = 0; c < X.cols(); ++c) h = mix(h ^ bits(X(row, c)));
  return h;
}

}  // namespace

Sample sample_rows(const Matrix& X, const Observations& observations, Index rows) {
  std::vector<std::uint64_t> prints(static_cast<std::size_t>(X.rows()));
  for (Index i = 0; i < X.rows(); ++i) {
    prints[static_cast<std::size_t>(i)] = fingerprint(X, observations, i);
  }
  std::vector<Index> order(prints.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return prints[static_cast<std::size_t>(i)]; });
  order.resize(static_cast<std::size_t>(std::min(rows, X.rows())));
  return {X(order, Eigen::all), observations.rows(order)};
}

std::vector<Index> sample_sizes(Index rows, Index smallest) {
  assert(smallest > 0);
  std::vector<Index> sizes;
  for (Index half = rows / 2; 2 * half >= 3 * smallest; half /= 2) sizes.push_back(half);
  sizes.push_back(smallest);
  std::ranges::reverse(sizes);
  return sizes;
}

}  // namespace candor
