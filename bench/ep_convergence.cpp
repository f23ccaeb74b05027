// SPDX-License-Identifier: MIT
// Does EP converge, and to a fixed point?  Random classification problems over the range users meet
// and beyond: n 5-200, d 1-10, five covariances, v₂ 1e-6-1, amplitude v₀ 0.1-100, ε 0-0.4, 0-20 %
// flips.
//
//   ep_convergence [problems = 1000] [first seed = 0] [--large] [--list]
//
// --large draws n from 250-600, where EP starts from half of the rows (inference/ep_coarse_start).
// For every problem: the rung that succeeded, sweeps, and the fixed-point residual recomputed from
// the sites alone by other algebra (LU of I + K T in extended precision, textbook moments).  Writes
// one JSON object to stdout, and with --list one line per problem that did not converge to stderr.
// Exits with 1 on an exception, a NaN, a false convergence, or when fewer than 99 % converge
// (99.9 % of those with v₂/v₀ ≥ 1e-3).
#include "dice.hpp"
#include "residual_check.hpp"

#include <candor/covariance/gram.hpp>
#include <candor/inference/inference.hpp>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace candor;
using bench::Dice;

struct Problem {
  Matrix X;
  Vector y;
  Covariance covariance;
  Threshold likelihood;
  double variance = 1.0;  // v₀

  [[nodiscard]] double noise_ratio() const { return likelihood.noise_variance / variance; }
};

Covariance random_covariance(Dice& dice, Index d) {
  const Vector lengthscale =
      Vector::Constant(1, std::sqrt(static_cast<double>(d)) * dice.log_uniform(0.2, 5.0));
  switch (dice.below(5)) {
    case 0:
      return SquaredExponential{.lengthscale = lengthscale};
    case 1:
      return RationalQuadratic{.shape = 1.0, .lengthscale = lengthscale};
    case 2:
      return Matern{.smoothness = 0.5, .lengthscale = lengthscale};
    case 3:
      return Matern{.smoothness = 1.5, .lengthscale = lengthscale};
    default:
      return Matern{.smoothness = 2.5, .lengthscale = lengthscale};
  }
}

// A linear or a spherical boundary through normal data, with labels flipped at random.
Problem random_problem(std::uint64_t seed, bool large) {
  Dice dice(seed);
  const auto n =
      static_cast<Index>(large ? dice.log_uniform(250.0, 601.0) : dice.log_uniform(5.0, 201.0));
  const Index d = 1 + dice.below(10);
  const std::vector<double> rates{0.0, 1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4};
  Problem problem;
  problem.variance = dice.log_uniform(0.1, 100.0);
  problem.likelihood.noise_variance = dice.log_uniform(1e-6, 1.0);
  problem.likelihood.flip_probability = rates[static_cast<std::size_t>(dice.below(9))];
  problem.covariance = problem.variance * random_covariance(dice, d) + Constant{1e-8};
  problem.X = Matrix::NullaryExpr(n, d, [&] { return dice.normal(); });
  const Vector direction = Vector::NullaryExpr(d, [&] { return dice.normal(); });
  const bool linear = dice.uniform(0.0, 1.0) < 0.5;
  const Vector score =
      linear ? Vector(problem.X * direction)
             : Vector(problem.X.rowwise().squaredNorm().array() - static_cast<double>(d));
  const double flips = dice.uniform(0.0, 0.2);
  problem.y = score.unaryExpr([&](double s) {
    const double label = s > 0.0 ? 1.0 : -1.0;
    return dice.uniform(0.0, 1.0) < flips ? -label : label;
  });
  return problem;
}

struct Tally {
  int problems = 0, converged = 0, exceptions = 0, not_finite = 0, false_convergence = 0;
  std::map<std::string, int> by_rung;
  std::vector<int> sweeps;
  double worst_residual = 0.0;

  [[nodiscard]] double share() const {
    return problems == 0 ? 1.0 : static_cast<double>(converged) / problems;
  }

  [[nodiscard]] nlohmann::json to_json() const {
    std::vector<int> sorted = sweeps;
    std::sort(sorted.begin(), sorted.end());
    const auto quantile = [&](double q) {
      return sorted.empty()
                 ? 0
                 : sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
    };
    return {{"problems", problems},
            {"converged", converged},
            {"by_rung", by_rung},
            {"exceptions", exceptions},
            {"not_finite", not_finite},
            {"false_convergence", false_convergence},
            {"worst_recomputed_residual", worst_residual},
            {"sweeps",
             {{"median", quantile(0.5)},
              {"q90", quantile(0.9)},
              {"q99", quantile(0.99)},
              {"max", quantile(1.0)}}}};
  }
};

bool all_finite(const Approximation& q) {
  return std::isfinite(q.log_evidence) && q.p_wrong.allFinite() && q.latent_mean.allFinite() &&
         q.latent_variance.allFinite() && q.log_loo.allFinite();
}

constexpr double tolerance = 1e-8;

void count(Tally& tally, const Approximation& q, double recomputed) {
  ++tally.problems;
  if (!all_finite(q)) ++tally.not_finite;
  if (q.outcome.status != Status::converged) return;
  ++tally.converged;
  ++tally.by_rung[std::string(name_of(q.outcome.rung))];
  tally.sweeps.push_back(q.outcome.sweeps);
  tally.worst_residual = std::max(tally.worst_residual, recomputed);
  // Ten times the tolerance allows for what double precision itself leaves at v₂/v₀ = 1e-8.
  if (!(recomputed <= 10.0 * tolerance)) ++tally.false_convergence;
}

struct Options {
  bool list = false;  // name every problem that failed
  bool large = false;
  std::uint64_t problems = 1000, first_seed = 0;
};

Options read_options(int argc, char** argv) {
  Options options;
  std::vector<std::uint64_t> numbers;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--list")
      options.list = true;
    else if (std::string(argv[i]) == "--large")
      options.large = true;
    else
      numbers.push_back(std::strtoull(argv[i], nullptr, 10));
  }
  if (!numbers.empty()) options.problems = numbers[0];
  if (numbers.size() > 1) options.first_seed = numbers[1];
  return options;
}

void print_failure(std::uint64_t seed, const Problem& p, const Outcome& outcome,
                   double recomputed) {
  fmt::print(stderr,
             "seed {} n {} d {} v2/v0 {:.1e} eps {} {} {} residual {:.1e} recomputed {:.1e} "
             "sweeps {}\n",
             seed, p.X.rows(), p.X.cols(), p.noise_ratio(), p.likelihood.flip_probability,
             name_of(outcome.status), name_of(outcome.rung), outcome.residual, recomputed,
             outcome.sweeps);
}

struct Tallies {
  Tally all, soft;  // soft: v₂/v₀ ≥ 1e-3

  void add(std::uint64_t seed, bool large, bool list) {
    const Problem p = random_problem(seed, large);
    const Approximation q =
        infer(Ep{.tolerance = tolerance}, p.covariance, p.likelihood, p.X, {.y = p.y}, Threads{1});
    const double recomputed = candor::bench::recomputed_residual(
        q.posterior.prior_covariance(), p.y, p.likelihood, q.site_tau, q.site_nu);
    count(all, q, recomputed);
    if (p.noise_ratio() >= 1e-3) count(soft, q, recomputed);
    if (list && (q.outcome.status != Status::converged || recomputed > 10.0 * tolerance))
      print_failure(seed, p, q.outcome, recomputed);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto [list, large, problems, first] = read_options(argc, argv);
  Tallies tallies;
  auto& [all, soft] = tallies;
  for (std::uint64_t seed = first; seed < first + problems; ++seed) {
    try {
      tallies.add(seed, large, list);
    } catch (const std::exception& e) {
      ++all.exceptions;
      fmt::print(stderr, "seed {}: {}\n", seed, e.what());
    }
  }
  const nlohmann::json report{{"benchmark", "ep_convergence"},
                              {"first_seed", first},
                              {"tolerance", tolerance},
                              {"all", all.to_json()},
                              {"v2_over_v0_at_least_1e-3", soft.to_json()}};
  fmt::print("{}\n", report.dump(2));
  const bool sound = all.exceptions + all.not_finite + all.false_convergence == 0;
  return sound && all.share() >= 0.99 && soft.share() >= 0.999 ? 0 : 1;
}
