// SPDX-License-Identifier: MIT
// The main job in miniature: labels of a ring, some flipped; learn how many are wrong, and which.
//
// Points in [-1, 1]², +1 outside the circle x₁² + x₂² = 0.5, 5 % of the labels flipped [KG08, §4.1
// in spirit].  The label-error rate follows the EM step ε ← mean(p_wrong), whose fixed points are
// those of the evidence; lengthscale and amplitude follow its gradient.
#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/text.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>

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
  Vector y;
  std::set<Index> flipped;
};

Ring draw_ring(Index n, Index flips, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
  Ring ring{Matrix::NullaryExpr(n, 2, [&] { return coordinate(random); }), Vector(n), {}};
  for (Index i = 0; i < n; ++i) ring.y[i] = ring.X.row(i).squaredNorm() > 0.5 ? 1.0 : -1.0;
  while (static_cast<Index>(ring.flipped.size()) < flips) {
    const Index i = std::uniform_int_distribution<Index>(0, n - 1)(random);
    if (ring.flipped.insert(i).second) ring.y[i] *= -1.0;
  }
  return ring;
}

struct Learned {
  Covariance covariance;
  Threshold likelihood;
  Approximation q;
};

// A few ascent steps with backtracking; the proper optimiser belongs to the learning room.
Learned learn(const Ring& ring, const Covariance& covariance, Threshold likelihood) {
  const auto fit = [&](const Covariance& k, const Threshold& l) {
    return infer(Ep{}, k, l, ring.X, {.y = ring.y});
  };
  Learned best{covariance, likelihood, fit(covariance, likelihood)};
  double step = 0.1;
  for (int iteration = 0; iteration < 40 && step > 1e-3; ++iteration) {
    const Vector gradient = evidence_gradient(best.q, best.covariance, ring.X).covariance;
    Covariance k =
        with_log_parameters(best.covariance, log_parameters(best.covariance) +
                                                 step * gradient / (1.0 + gradient.norm()));
    Threshold l = best.likelihood;
    if (l.flip_probability > 0.0) l.flip_probability = best.q.p_wrong.mean();
    Approximation q = fit(k, l);
    if (q.log_evidence > best.q.log_evidence) {
      best = {std::move(k), l, std::move(q)};
      step *= 1.5;
    } else {
      step *= 0.5;
    }
  }
  return best;
}

void print(const char* title, const Learned& m) {
  fmt::print("{:8}  log evidence {:8.2f}   label-error rate {:.3f}   {}   ({}, {} sweeps)\n", title,
             m.q.log_evidence, m.likelihood.flip_probability, to_text(m.covariance),
             name_of(m.q.outcome.status), m.q.outcome.sweeps);
}

}  // namespace

int main() {
  const Ring ring = draw_ring(300, 15, 1);
  fmt::print("Ring data: {} points, {} labels flipped on purpose.\n\n", ring.X.rows(),
             ring.flipped.size());

  const Covariance start =
      4.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)});
  const Learned regular = learn(ring, start, {.flip_probability = 0.0, .noise_variance = 0.1});
  const Learned robust = learn(ring, start, {.flip_probability = 0.05, .noise_variance = 0.1});
  print("regular", regular);
  print("robust", robust);
  fmt::print(
      "\nThe evidence prefers the {} model by {:.1f} nats; it expects {:.1f} wrong labels.\n\n",
      robust.q.log_evidence > regular.q.log_evidence ? "robust" : "regular",
      std::abs(robust.q.log_evidence - regular.q.log_evidence), robust.q.p_wrong.sum());

  std::vector<Index> order(static_cast<std::size_t>(ring.X.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return robust.q.p_wrong[a] > robust.q.p_wrong[b]; });
  fmt::print("  row      x1      x2  label  p_wrong  truth\n");
  for (std::size_t rank = 0; rank < 20; ++rank) {
    const Index i = order[rank];
    fmt::print("{:5}  {:6.3f}  {:6.3f}  {:+5.0f}  {:7.3f}  {}\n", i, ring.X(i, 0), ring.X(i, 1),
               ring.y[i], robust.q.p_wrong[i], ring.flipped.contains(i) ? "flipped" : "");
  }
  const auto found =
      std::count_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(ring.flipped.size()),
                    [&](Index i) { return ring.flipped.contains(i); });
  fmt::print("\nOf the {} labels doubted most, {} were flipped.\n", ring.flipped.size(), found);
  return 0;
}
