// SPDX-License-Identifier: MIT
// The main job in miniature: labels of a ring, some flipped; learn how many are wrong, and which.
//
// Points in [-1, 1]², +1 outside the circle x₁² + x₂² = 0.5, 5 % of the labels flipped [KG08, §4.1
// in spirit].
#include <candor/learning/ensemble.hpp>
#include <candor/learning/select.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace candor;

namespace {

struct Ring {
  Matrix X;
  Observations observations;
  std::set<Index> flipped;
};

Ring draw_ring(Index n, Index flips, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
  Ring ring{Matrix::NullaryExpr(n, 2, [&] { return coordinate(random); }), {.y = Vector(n)}, {}};
  for (Index i = 0; i < n; ++i)
    ring.observations.y[i] = ring.X.row(i).squaredNorm() > 0.5 ? 1.0 : -1.0;
  while (static_cast<Index>(ring.flipped.size()) < flips) {
    const Index i = std::uniform_int_distribution<Index>(0, n - 1)(random);
    if (ring.flipped.insert(i).second) ring.observations.y[i] *= -1.0;
  }
  return ring;
}

void print(const Candidate& candidate) {
  const Learned& learned = candidate.learned;
  fmt::print(
      "{:28}  log evidence {:8.2f}   integrated {:8.2f}   probability {:.3f}   ({}, {} sweeps)\n",
      candidate.name, learned.log_evidence, candidate.log_integrated, candidate.probability,
      candidate.converged() ? "converged" : "not converged", candidate.sweeps);
}

void print_rate(const Selection& selection) {
  for (const Candidate& candidate : selection.candidates) {
    if (candidate.rates.empty()) continue;
    const RatePosterior& rate = candidate.rates.front();
    const Interval share = rate.interval(), count = rate.wrong_labels();
    fmt::print(
        "Label-error rate {:.3f}, between {:.3f} and {:.3f}; {:.0f} to {:.0f} wrong labels (90 "
        "%).\n\n",
        rate.mean, share.low, share.high, count.low, count.high);
  }
}

}  // namespace

int main() {
  const Ring ring = draw_ring(300, 15, 1);
  fmt::print("Ring data: {} points, {} labels flipped on purpose.\n\n", ring.X.rows(),
             ring.flipped.size());

  const TrainingSet data{ring.X, ring.observations};
  Selecting options;
  options.covariances = {{"squared exponential", 4.0 * Covariance(SquaredExponential{}), {}}};
  const Selection selection = select_model(data, options);
  for (const Candidate& candidate : selection.candidates) print(candidate);
  fmt::print("\n{}\n", selection.verdict());
  print_rate(selection);
  const Vector p_wrong = average(selection, data, Average::models).p_wrong();

  std::vector<Index> order(static_cast<std::size_t>(ring.X.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return p_wrong[a] > p_wrong[b]; });
  fmt::print("  row      x1      x2  label  p_wrong  truth\n");
  for (std::size_t rank = 0; rank < 20; ++rank) {
    const Index i = order[rank];
    fmt::print("{:5}  {:6.3f}  {:6.3f}  {:+5.0f}  {:7.3f}  {}\n", i, ring.X(i, 0), ring.X(i, 1),
               ring.observations.y[i], p_wrong[i], ring.flipped.contains(i) ? "flipped" : "");
  }
  const auto found =
      std::count_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(ring.flipped.size()),
                    [&](Index i) { return ring.flipped.contains(i); });
  fmt::print("\nOf the {} labels doubted most, {} were flipped.\n", ring.flipped.size(), found);
  return 0;
}
