// SPDX-License-Identifier: MIT
// How well each move of the sampler mixes, and how well annealing knows the evidence: rings of
// points with flipped labels, from soft to hard steps.  Prints the tables of docs/math/mcmc.md.
//
//   mcmc_mixing [ROWS = 100] [DRAWS = 1000] [TEMPERATURES = 200]
#include <candor/inference/annealed_importance.hpp>
#include <candor/inference/inference.hpp>
#include <candor/inference/mcmc.hpp>
#include <candor/linalg/random.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace candor {
namespace {

struct Ring {
  Matrix X;
  Observations observations;
};

// Inside a circle or not, one label in twenty flipped.
Ring ring(Index n) {
  Random random(1);
  Ring made{0.8 * random.normals(n, 2), {.y = Vector(n)}};
  for (Index i = 0; i < n; ++i) {
    const double truth = made.X.row(i).squaredNorm() > 0.6 ? 1.0 : -1.0;
    made.observations.y[i] = i % 20 == 7 ? -truth : truth;
  }
  return made;
}

void mixing(const SamplingProblem& problem, Index draws) {
  const auto alone = [&](Moves moves) {
    const PosteriorSample sample =
        sample_posterior(problem, {.warmup = draws / 2, .draws = draws, .moves = moves});
    fmt::print(" {:.0f} ({:.2f}) |", sample.least_effective(), sample.worst_r_hat());
    std::fflush(stdout);
  };
  alone({.slice = true, .near_slice = false, .gibbs = false});
  alone({.slice = false, .near_slice = true, .gibbs = false});
  alone({.slice = false, .near_slice = false, .gibbs = true});
  alone({});
}

void annealing(const SamplingProblem& problem, const PosteriorSample& sample, int temperatures) {
  const auto show = [](const AnnealedEvidence& e) {
    fmt::print(" {:.2f} ± {:.2f} ({:.0f}) |", e.log_evidence, e.standard_error, e.effective_runs);
    std::fflush(stdout);
  };
  Annealing options{.temperatures = temperatures};
  Matrix some(problem.size(), options.runs);
  for (Index k = 0; k < some.cols(); ++k) {
    const Matrix& draws = sample.draws[static_cast<std::size_t>(k % 4)];
    some.col(k) = draws.col((k / 4 + 1) * draws.cols() * 4 / some.cols() - 1);
  }
  for (const AnnealFrom from : {AnnealFrom::prior, AnnealFrom::near, AnnealFrom::prior_by_steps}) {
    options.from = from;
    show(anneal(problem, options));
    show(anneal_back(problem, some, options));
  }
}

void print_tables(Index n, Index draws, int temperatures) {
  const Ring data = ring(n);
  const Covariance covariance =
      4.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)});
  fmt::print("{} rows, 4 chains of {} draws after {}: least effective draws (worst R-hat)\n\n", n,
             draws, draws / 2);
  fmt::print("| v₂ | slice | near slice | gibbs | all |\n|---|---|---|---|---|\n");
  for (const double v2 : {1.0, 0.1, 0.01, 1e-4}) {
    const Threshold likelihood{.flip_probability = 0.05, .noise_variance = v2};
    const Approximation q = infer(Ep{}, covariance, likelihood, data.X, data.observations);
    const SamplingProblem problem(covariance, likelihood, data.X, data.observations,
                                  Sites{q.site_tau, q.site_nu});
    fmt::print("| {} |", v2);
    mixing(problem, draws);
    fmt::print("\n");
  }
  fmt::print("\n{} runs of {} temperatures: log evidence ± standard error (effective runs)\n\n",
             Annealing{}.runs, temperatures);
  fmt::print(
      "| v₂ | EP | from the prior | back to it | from EP | back to it | steps raised | lowered |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const double v2 : {1.0, 0.1, 0.01, 1e-4}) {
    const Threshold likelihood{.flip_probability = 0.05, .noise_variance = v2};
    const Approximation q = infer(Ep{}, covariance, likelihood, data.X, data.observations);
    const SamplingProblem problem(covariance, likelihood, data.X, data.observations,
                                  Sites{q.site_tau, q.site_nu});
    fmt::print("| {} | {:.2f} |", v2, q.log_evidence);
    annealing(problem, sample_posterior(problem, {.warmup = draws / 2, .draws = draws}),
              temperatures);
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace candor

int main(int argc, char** argv) {
  const auto number = [&](int k, int otherwise) {
    return argc > k ? std::atoi(argv[k]) : otherwise;
  };
  candor::print_tables(number(1, 100), number(2, 1000), number(3, 200));
}
