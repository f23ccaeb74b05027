// SPDX-License-Identifier: MIT
#include <candor/inference/ep_coarse_start.hpp>

#include <candor/inference/ep_parallel.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace candor {
namespace {

struct Halves {
  std::vector<Index> in, out;
};

// Row i is in when the fractional part of i times the golden ratio is below ½: nearly every second
// row of any stretch, and yet not every second row, which may all be of one class.
Halves halves_of(Index n) {
  Halves rows;
  for (Index i = 0; i < n; ++i) {
    const double turn = static_cast<double>(i) * (std::numbers::phi - 1.0);
    (turn - std::floor(turn) < 0.5 ? rows.in : rows.out).push_back(i);
  }
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

Observations part_of(const Observations& all, const std::vector<Index>& rows) {
  const auto part = [&](const Vector& x) { return x.size() == 0 ? x : Vector(x(rows)); };
  return {
      .y = all.y(rows), .weight = part(all.weight), .known_flip_rate = part(all.known_flip_rate)};
}

// The sites of rows that EP has not seen: what their labels add to its predictions.
void match_predictions(const EpProblem& problem, const EpProblem& half, const EpState& seen,
                       const Halves& rows, Sites& sites) {
  const Matrix& K = problem.posterior.prior_covariance();
  constexpr Index chunk = 256;
  const Index unseen = static_cast<Index>(rows.out.size());
  for (Index first = 0; first < unseen; first += chunk) {
    const std::vector<Index> part(rows.out.begin() + first,
                                  rows.out.begin() + std::min(unseen, first + chunk));
    const Matrix K_cross = K(rows.in, part);
    const Vector mean = K_cross.transpose() * seen.alpha;
    const Vector explained = half.posterior.explained_variance(K_cross);
    for (std::size_t c = 0; c < part.size(); ++c) {
      const Index i = part[c], k = static_cast<Index>(c);
      const Moments predicted{mean[k], K(i, i) - explained[k]};
      if (!(predicted.variance > 0.0)) continue;
      const Natural site =
          tilted(problem.likelihood, problem.observations.row(i), to_natural(predicted)).site;
      sites.tau[i] = site.tau;
      sites.nu[i] = site.nu;
    }
  }
}

}  // namespace

std::optional<Sites> coarse_start(const EpProblem& problem) {
  constexpr Index smallest = 250;
  const Index n = problem.posterior.size();
  if (n < smallest) return std::nullopt;
  const Halves rows = halves_of(n);
  const Observations observations = part_of(problem.observations, rows.in);
  SitePosterior posterior(PartOfPrior(problem.posterior.prior_covariance(), rows.in),
                          problem.posterior.threads());
  const EpProblem half{problem.likelihood, observations, posterior};

  std::optional<EpState> start;
  if (const auto sites = coarse_start(half)) start = evaluate(half, *sites);
  if (!start || start->improper > 0) start = at_prior(half);
  // Sites that are only a guess for the whole table need not be exact for the half.
  constexpr double tolerance = 1e-2;
  constexpr int max_sweeps = 30;
  const EpState seen = parallel_ep(half, std::move(*start), tolerance, max_sweeps).best;
  if (!is_at(half, seen) && !evaluate(half, seen.sites)) return std::nullopt;

  Sites sites = Sites::zero(n);
  sites.tau(rows.in) = seen.sites.tau;
  sites.nu(rows.in) = seen.sites.nu;
  match_predictions(problem, half, seen, rows, sites);
  return sites;
}

}  // namespace candor
