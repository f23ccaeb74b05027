// SPDX-License-Identifier: MIT
// What do EP, Laplace, the variational engine and gradients cost, in units of one Cholesky
// factorisation?
//
//   inference --benchmark_counters_tabular=true
//
// CPU time of one thread, best of the iterations.  c is one n = 2000 dpotrf (or our Cholesky, if
// faster) with the kernels in use, measured again between the benchmarks, so that a busy machine
// slows both.  Ring data: x₁² + x₂² > 0.5 on [-1, 1]², 5 % of the labels flipped, squared
// exponential, unit amplitude, lengthscale 0.5 (1.5 for the gradient), v₂ = 1, ε = 0.
#include "cost.hpp"

#include <candor/covariance/gram.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace {

using namespace candor;
using bench::seconds_of;

// One c, on a matrix made once.
double unit_of_cost() {
  static const bench::UnitOfCost unit;
  return unit.seconds();
}

struct Table {
  Matrix X;
  Vector y;
};

Table draw(Index n, Index d, double flips) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0), share(0.0, 1.0);
  Table table{Matrix::NullaryExpr(n, d, [&] { return uniform(random); }), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const double label = table.X.row(i).head(2).squaredNorm() > 0.5 ? 1.0 : -1.0;
    table.y[i] = share(random) < flips ? -label : label;
  }
  return table;
}

Covariance ring_covariance(Index lengthscales) {
  return 1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(lengthscales, 0.5)});
}

// Runs `body`, which returns its seconds, and reports the best in c.
void measure(benchmark::State& state, const std::function<double()>& body) {
  double c = unit_of_cost(), best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double seconds = body();
    best = std::min(best, seconds);
    state.SetIterationTime(seconds);
    c = std::min(c, unit_of_cost());
  }
  state.counters["c"] = best / c;
  state.counters["c_ms"] = 1e3 * c;
}

void sweep(benchmark::State& state) {
  const Table table = draw(state.range(0), 2, 0.05);
  const Covariance covariance = ring_covariance(1);
  SitePosterior q{Gram(covariance, table.X)};
  const Likelihood likelihood = Probit{};
  const Observations observations{.y = table.y};
  const EpProblem problem{likelihood, observations, q};
  EpState at = at_prior(problem);
  measure(state, [&] {
    return seconds_of([&] { at = *evaluate(problem, between(at.sites, at.target, 1.0)); });
  });
}

void to_convergence(benchmark::State& state, const Inference& engine,
                    const Likelihood& likelihood) {
  const Table table = draw(state.range(0), 2, 0.05);
  const Covariance covariance = ring_covariance(1);
  int sweeps = 0;
  measure(state, [&] {
    return seconds_of([&] {
      sweeps =
          infer(engine, covariance, likelihood, table.X, {.y = table.y}, Threads{1}).outcome.sweeps;
    });
  });
  state.counters["sweeps"] = sweeps;
}

// The gradient in the amplitude and d lengthscales, at a fixed point.
void gradient(benchmark::State& state) {
  const Table table = draw(state.range(0), state.range(1), 0.05);
  Covariance covariance =
      1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(state.range(1), 1.5)});
  const Approximation q = infer(Ep{}, covariance, Probit{}, table.X, {.y = table.y}, Threads{1});
  measure(state, [&] {
    return seconds_of([&] {
      benchmark::DoNotOptimize(evidence_gradient(q, covariance, table.X).covariance.sum());
    });
  });
}

void ep(benchmark::State& state) { to_convergence(state, Ep{}, Probit{}); }
void sequential_ep_alone(benchmark::State& state) {
  to_convergence(state, SequentialEp{}, Probit{});
}
void laplace(benchmark::State& state) { to_convergence(state, Laplace{}, Logistic{}); }
void variational(benchmark::State& state) { to_convergence(state, Variational{}, Probit{}); }

BENCHMARK(sweep)->Name("ep_sweep")->Arg(500)->Arg(1000)->Arg(2000)->Iterations(15)->UseManualTime();
BENCHMARK(gradient)
    ->Name("gradient")
    ->Args({2000, 2})
    ->Args({2000, 20})
    ->Iterations(15)
    ->UseManualTime();
BENCHMARK(ep)
    ->Name("ep_to_convergence")
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Iterations(15)
    ->UseManualTime();
BENCHMARK(laplace)
    ->Name("laplace_logistic")
    ->Arg(500)
    ->Arg(1000)
    ->Arg(2000)
    ->Iterations(15)
    ->UseManualTime();
BENCHMARK(variational)
    ->Name("variational_to_convergence")
    ->Arg(500)
    ->Arg(1000)
    ->Iterations(5)
    ->UseManualTime();
BENCHMARK(sequential_ep_alone)
    ->Name("sequential_ep")
    ->Arg(500)
    ->Arg(1000)
    ->Iterations(5)
    ->UseManualTime();

}  // namespace
