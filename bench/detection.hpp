// SPDX-License-Identifier: MIT
// How well a score finds wrong labels, and how far it can be read as a probability.
#pragma once

#include <candor/linalg/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace candor::bench {

// Ranking: of the wrong labels among all, by score.  Ties count half, and share their precision;
// NaN unless there are wrong labels and right ones.
struct Ranking {
  double auroc = std::numeric_limits<double>::quiet_NaN();
  double average_precision = std::numeric_limits<double>::quiet_NaN();
};

inline Ranking rank(const Vector& score, const std::vector<bool>& wrong) {
  std::vector<Index> order(wrong.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return score[a] > score[b]; });
  const auto positives = static_cast<double>(std::ranges::count(wrong, true));
  const auto negatives = static_cast<double>(wrong.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return {};
  double hits = 0.0, misses = 0.0, pairs = 0.0, precision = 0.0;
  for (std::size_t i = 0; i < order.size();) {
    double new_hits = 0.0, new_misses = 0.0;
    const double tied = score[order[i]];
    for (; i < order.size() && score[order[i]] == tied; ++i) {
      (wrong[static_cast<std::size_t>(order[i])] ? new_hits : new_misses) += 1.0;
    }
    pairs += new_misses * (hits + 0.5 * new_hits);
    hits += new_hits;
    misses += new_misses;
    precision += new_hits * hits / (hits + misses);
  }
  return {pairs / (positives * negatives), precision / positives};
}

inline double brier_score(const Vector& p, const std::vector<bool>& wrong) {
  double sum = 0.0;
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const double miss = p[static_cast<Index>(i)] - (wrong[i] ? 1.0 : 0.0);
    sum += miss * miss;
  }
  return sum / static_cast<double>(wrong.size());
}

// Expected calibration error over ten equal bins: Σ |wrong labels in the bin - their expectation| /
// n.
inline double calibration_error(const Vector& p, const std::vector<bool>& wrong) {
  constexpr std::size_t bins = 10;
  std::vector<double> excess(bins, 0.0);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const double at = p[static_cast<Index>(i)];
    excess[std::min(bins - 1, static_cast<std::size_t>(at * bins))] += (wrong[i] ? 1.0 : 0.0) - at;
  }
  double sum = 0.0;
  for (const double e : excess) sum += std::abs(e);
  return sum / static_cast<double>(wrong.size());
}

}  // namespace candor::bench
