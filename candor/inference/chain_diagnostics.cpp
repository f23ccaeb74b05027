// SPDX-License-Identifier: MIT
#include <candor/inference/chain_diagnostics.hpp>

#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace candor {
namespace {

// Halves of each chain; the middle draw of an odd number is left out.
Matrix halves(const Matrix& chains) {
  const Index half = chains.rows() / 2;
  Matrix split(half, 2 * chains.cols());
  split << chains.topRows(half), chains.bottomRows(half);
  return split;
}

// Φ⁻¹((rank - ⅜)/(N + ¼)); equal draws share their mean rank.
Matrix normal_scores(const Matrix& draws) {
  const auto value = draws.reshaped();
  std::vector<Index> order(static_cast<std::size_t>(value.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index i) { return value[i]; });
  Matrix scores(draws.rows(), draws.cols());
  const auto total = static_cast<double>(order.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && value[order[last]] == value[order[first]]) ++last;
    const double rank = 0.5 * static_cast<double>(first + last + 1);
    const double score = normal_quantile((rank - 0.375) / (total + 0.25));
    for (std::size_t k = first; k < last; ++k) scores.reshaped()[order[k]] = score;
  }
  return scores;
}

struct Spread {
  Vector mean;            // of each chain
  Vector variance;        // of each
  double within = 0.0;    // W
  double over_all = 0.0;  // var⁺
};

Spread spread_of(const Matrix& chains) {
  const auto S = static_cast<double>(chains.rows());
  Spread spread;
  spread.mean = chains.colwise().mean();
  spread.variance =
      (chains.rowwise() - spread.mean.transpose()).colwise().squaredNorm() / (S - 1.0);
  spread.within = spread.variance.mean();
  const double between = (spread.mean.array() - spread.mean.mean()).square().sum() /
                         static_cast<double>(std::max<Index>(1, chains.cols() - 1));
  spread.over_all = (S - 1.0) / S * spread.within + between;
  return spread;
}

double r_hat_of(const Matrix& chains) {
  const Spread spread = spread_of(chains);
  if (spread.over_all == 0.0) return 1.0;
  if (spread.within == 0.0) return std::numeric_limits<double>::infinity();
  return std::sqrt(spread.over_all / spread.within);
}

// Mean over chains of the autocovariance at a lag.
double autocovariance(const Matrix& chains, const Spread& spread, Index lag) {
  const Index S = chains.rows(), length = S - lag;
  double sum = 0.0;
  for (Index c = 0; c < chains.cols(); ++c) {
    const auto centred = chains.col(c).array() - spread.mean[c];
    sum += (centred.head(length) * centred.tail(length)).sum();
  }
  return sum / static_cast<double>(S * chains.cols());
}

double effective_of(const Matrix& chains) {
  const Spread spread = spread_of(chains);
  const auto total = static_cast<double>(chains.size());
  if (spread.over_all == 0.0) return total;
  const auto rho = [&](Index lag) {
    return 1.0 - (spread.within - autocovariance(chains, spread, lag)) / spread.over_all;
  };
  // Sums of neighbouring pairs of correlations are positive and fall, until noise takes over.
  double sum = 0.0, last = std::numeric_limits<double>::infinity();
  for (Index lag = 0; lag + 1 < chains.rows(); lag += 2) {
    const double pair = (lag == 0 ? 1.0 : rho(lag)) + rho(lag + 1);
    if (!(pair > 0.0)) break;
    last = std::min(last, pair);
    sum += last;
  }
  // Antithetic chains may be worth more than their draws, but no number of draws shows by how much.
  const double tau = std::max(-1.0 + 2.0 * sum, 1.0 / std::log10(total));
  return total / tau;
}

double median_of(const Matrix& draws) {
  std::vector<double> sorted(draws.reshaped().begin(), draws.reshaped().end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

}  // namespace

ChainSummary summary_of(const Matrix& chains) {
  assert(chains.rows() >= 4 && chains.cols() >= 1);
  const Matrix split = halves(chains);
  const Matrix scores = normal_scores(split);
  const Matrix folded = (split.array() - median_of(split)).abs();
  const double mean = chains.mean();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool has_moved =
      (split.colwise().maxCoeff().array() > split.colwise().minCoeff().array()).any();
  if (!has_moved) {
    return {.mean = mean, .r_hat = infinity, .effective = 0.0, .standard_error = infinity};
  }
  return {.mean = mean,
          .variance = (chains.array() - mean).square().sum() / static_cast<double>(chains.size()),
          .r_hat = std::max(r_hat_of(scores), r_hat_of(normal_scores(folded))),
          .effective = effective_of(scores),
          .standard_error = standard_error_of(chains)};
}

double standard_error_of(const Matrix& chains) {
  const Matrix split = halves(chains);
  return std::sqrt(spread_of(split).over_all / effective_of(split));
}

}  // namespace candor
