// SPDX-License-Identifier: MIT
// Are the integrals of a sweep of EP over many classes no slower than its factorisations?
//
//   multiclass --benchmark_counters_tabular=true
//
// CPU time of one thread, best of the iterations, of both parts in turn: `factor_us` for
// set_precisions() and covariance() of the posterior, `integral_us` for the tilted densities of all
// rows, both per row; `ratio` is their quotient.  Squared exponential, unit amplitude, lengthscale
// 0.5, on uniform points of [-1, 1]²; the class is that of the largest of C linear functions, 5 % are
// redrawn; v₂ = 0.5, ε = 0.05.  Cavities are those after three sweeps from the prior.
#include "cost.hpp"

#include <candor/covariance/gram.hpp>
#include <candor/inference/class_posterior.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace candor;
using bench::seconds_of;

struct Table {
  Matrix X;
  std::vector<int> y;
};

Table draw(Index n, Index classes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0), share(0.0, 1.0);
  std::uniform_int_distribution<int> any(0, static_cast<int>(classes) - 1);
  Table table{Matrix::NullaryExpr(n, 2, [&] { return uniform(random); }), {}};
  const Matrix directions = Matrix::NullaryExpr(2, classes, [&] { return uniform(random); });
  for (Index i = 0; i < n; ++i) {
    Index largest = 0;
    (table.X.row(i) * directions).maxCoeff(&largest);
    table.y.push_back(share(random) < 0.05 ? any(random) : static_cast<int>(largest));
  }
  return table;
}

// Sites and cavities of one sweep after the other.
template <class Posterior>
class Sweeps {
 public:
  Sweeps(Posterior q, const RobustMax& likelihood, std::vector<int> y)
      : q_(std::move(q)),
        likelihood_(likelihood),
        y_(std::move(y)),
        tau_(Matrix::Zero(q_.rows(), q_.site_size())),
        nu_(Matrix::Zero(q_.rows(), q_.latents())),
        prior_(q_.prior_covariance()),
        cavities_(y_.size()) {}

  void factorise() {
    if (!q_.set_precisions(tau_)) throw std::logic_error("the benchmark's posterior is improper");
    covariance_ = q_.covariance();
  }

  void find_cavities() {
    const Matrix mu = q_.mean(nu_).mu;
    for (Index i = 0; i < q_.rows(); ++i) {
      const Vector tau = tau_.row(i), nu = nu_.row(i);
      RowGaussian left_out = cavity(q_, {mu.row(i), covariance_.row(i)},
                                    {Vector::Zero(q_.latents()), prior_.row(i)}, tau, nu);
      if (left_out.covariance.size() > 0) cavities_[static_cast<std::size_t>(i)] = left_out;
    }
  }

  // The new sites, half way.
  void integrate() {
    for (Index i = 0; i < q_.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const RowMatch found =
          match(q_, likelihood_, y_[at], likelihood_.flip_probability, cavities_[at]);
      tau_.row(i) += 0.5 * (found.tau.transpose() - tau_.row(i));
      nu_.row(i) += 0.5 * (found.nu.transpose() - nu_.row(i));
    }
  }

 private:
  Posterior q_;
  RobustMax likelihood_;
  std::vector<int> y_;
  Matrix tau_, nu_, prior_, covariance_;
  std::vector<RowGaussian> cavities_;
};

template <class Posterior>
void measure(benchmark::State& state, Posterior q, Index classes, const std::vector<int>& y) {
  Sweeps sweeps(std::move(q), {0.05, 0.5, classes}, y);
  const auto sweep = [&] {
    sweeps.find_cavities();
    return seconds_of([&] { sweeps.integrate(); });
  };
  for (int i = 0; i < 3; ++i) {
    sweeps.factorise();
    (void)sweep();
  }
  double factor = std::numeric_limits<double>::infinity(), integral = factor;
  for (auto _ : state) {
    const double factor_now = seconds_of([&] { sweeps.factorise(); }), integral_now = sweep();
    factor = std::min(factor, factor_now);
    integral = std::min(integral, integral_now);
    state.SetIterationTime(factor_now + integral_now);
  }
  const double us_per_row = 1e6 / static_cast<double>(y.size());
  state.counters["factor_us"] = factor * us_per_row;
  state.counters["integral_us"] = integral * us_per_row;
  state.counters["ratio"] = integral / factor;
}

std::shared_ptr<const Matrix> covariance_of(const Matrix& X) {
  const Covariance covariance =
      1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)});
  return covariance_matrix(Gram(covariance, X), Threads{1});
}

void factorised(benchmark::State& state) {
  const Index n = state.range(0), classes = state.range(1);
  const Table table = draw(n, classes);
  const std::vector<std::shared_ptr<const Matrix>> K{covariance_of(table.X)};
  measure(state, FactorisedPosterior(classes, K, Threads{1}), classes, table.y);
}

void coupled(benchmark::State& state) {
  const Table table = draw(state.range(0), 3);
  measure(state, CoupledPosterior(3, covariance_of(table.X), Threads{1}), 3, table.y);
}

BENCHMARK(factorised)
    ->Name("factorised")
    ->ArgNames({"n", "C"})
    ->Args({500, 3})
    ->Args({500, 10})
    ->Args({500, 30})
    ->Iterations(15)
    ->UseManualTime();
BENCHMARK(coupled)->Name("coupled")->ArgNames({"n"})->Arg(500)->Iterations(15)->UseManualTime();

}  // namespace
