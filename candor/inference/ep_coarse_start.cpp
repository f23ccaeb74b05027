// SPDX-License-Identifier: MIT
#include <candor/inference/ep_coarse_start.hpp>

#include <candor/inference/ep_parallel.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace candor {
namespace {

struct Halves {
  std::vector<Index> in, out;
};

// Every second row of each class, in the order of their covariance with the whole table: an even
// choice, and, but for ties, the same one whatever the order of the rows.
Halves halves_of(const EpProblem& problem) {
  const Index n = problem.posterior.size();
  const Vector centrality = problem.posterior.apply_prior(Vector::Ones(n));
  const Vector& y = problem.observations.y;
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return std::pair(y[i], centrality[i]); });
  Halves rows;
  for (std::size_t k = 0; k < order.size(); ++k) {
    (k % 2 == 0 ? rows.in : rows.out).push_back(order[k]);
  }
  std::ranges::sort(rows.in);
  std::ranges::sort(rows.out);
  return rows;
}

// The covariance of some of the rows, as blocks.
class PartOfPrior {
 public:
  PartOfPrior(const Matrix& K, const std::vector<Index>& rows) : K_(K), rows_(rows) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(rows_.size()); }
  void block(Index first_row, Index first_col, MatrixOut out) const {
    for (Index c = 0; c < out.cols(); ++c) {
      const Index j = row(first_col + c);
      for (Index r = 0; r < out.rows(); ++r) out(r, c) = K_(row(first_row + r), j);
    }
  }

 private:
  [[nodiscard]] Index row(Index i) const { return rows_[static_cast<std::size_t>(i)]; }

  const Matrix& K_;
  const std::vector<Index>& rows_;
};

// The sites of rows that EP has not seen: what their labels add to its predictions.
void match_predictions(const EpProblem& problem, const EpProblem& half, const EpState& seen,
                       const Halves& rows, Sites& sites) {
  const Matrix& K = problem.posterior.prior_covariance();
  constexpr Index chunk = 256;
  const auto unseen = std::ssize(rows.out);
  parallel_for((unseen + chunk - 1) / chunk, problem.posterior.threads(), [&](Index task) {
    const auto first = rows.out.begin() + task * chunk;
    const std::vector<Index> part(first, first + std::min(chunk, unseen - task * chunk));
    const Matrix K_cross = K(rows.in, part);
    const Vector mean = K_cross.transpose() * seen.alpha;
    const Vector explained = half.posterior.explained_variance(K_cross);
    for (std::size_t c = 0; c < part.size(); ++c) {
      const Index i = part[c], k = static_cast<Index>(c);
      const Moments predicted{mean[k], K(i, i) - explained[k]};
      if (!(predicted.variance > 0.0)) continue;
      const Natural site = tilted(problem, i, to_natural(predicted)).site;
      sites.tau[i] = site.tau;
      sites.nu[i] = site.nu;
    }
  });
}

}  // namespace

std::optional<Sites> coarse_start(const EpProblem& problem) {
  constexpr Index smallest = 250;
  const Index n = problem.posterior.size();
  if (n < smallest) return std::nullopt;
  const Halves rows = halves_of(problem);
  const Observations observations = problem.observations.rows(rows.in);
  SitePosterior posterior(PartOfPrior(problem.posterior.prior_covariance(), rows.in),
                          problem.posterior.threads());
  const EpProblem half{problem.likelihood, observations, posterior};

  // Sites that are only a guess for the whole table need not be exact for the half.
  constexpr double tolerance = 1e-2;
  constexpr int max_sweeps = 30;
  int sweeps = 0;
  EpState start = first_state(half, coarse_start(half), sweeps);
  const EpState seen = parallel_ep(half, std::move(start), tolerance, max_sweeps).best;
  if (!is_at(half, seen) && !evaluate(half, seen.sites)) return std::nullopt;

  Sites sites = Sites::zero(n);
  sites.tau(rows.in) = seen.sites.tau;
  sites.nu(rows.in) = seen.sites.nu;
  match_predictions(problem, half, seen, rows, sites);
  return sites;
}

}  // namespace candor
