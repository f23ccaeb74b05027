// SPDX-License-Identifier: MIT
#include <candor/inference/mcmc.hpp>

#include <candor/inference/chain_diagnostics.hpp>
#include <candor/inference/elliptical_slice.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace candor {
namespace {

constexpr Index sweeps_per_round = 10;

class Chain {
 public:
  Chain(const SamplingProblem& problem, const Mcmc& options, std::uint64_t number)
      : problem_(&problem),
        moves_(options.moves),
        random_(options.seed, 4 * number),
        from_prior_(problem.prior(), Random(options.seed, 4 * number + 1)) {
    if (problem.near()) from_near_.emplace(*problem.near(), Random(options.seed, 4 * number + 2));
    f_ = from_prior_.next();
  }

  void sweep() {
    if (moves_.slice) slice(problem_->prior(), from_prior_);
    if (moves_.near_slice && from_near_) slice(*problem_->near(), *from_near_);
    if (const auto& gibbs = problem_->gibbs(); moves_.gibbs && gibbs) {
      gibbs->sweep(f_, gibbs->rise(), from_prior_, random_);
    }
  }
  [[nodiscard]] const Vector& f() const { return f_; }

 private:
  void slice(const GaussianReference& around, ReferenceDraws& deviations) {
    const LogFactor rest = [&](const Vector& f) {
      return problem_->factors().log_residual(f, around.tau, around.nu);
    };
    static_cast<void>(
        elliptical_slice(f_, rest(f_), around.mean, deviations.next(), rest, random_));
  }

  const SamplingProblem* problem_;
  Moves moves_;
  Random random_;
  ReferenceDraws from_prior_;
  std::optional<ReferenceDraws> from_near_;
  Vector f_;
};

void check_options(const SamplingProblem& problem, const Mcmc& options) {
  check_positive("chains", options.chains);
  check_non_negative("warmup", static_cast<double>(options.warmup));
  if (options.draws < 4) {
    throw InvalidInput("draws is " + std::to_string(options.draws) + ": it must be at least 4");
  }
  const Moves& moves = options.moves;
  if (!moves.slice && !(moves.near_slice && problem.near()) && !(moves.gibbs && problem.gibbs())) {
    throw InvalidInput("moves leave none that this model has");
  }
}

Matrix draws_of_row(const std::vector<Matrix>& draws, Index row) {
  Matrix chains(draws.front().cols(), static_cast<Index>(draws.size()));
  for (Index c = 0; c < chains.cols(); ++c) {
    chains.col(c) = draws[static_cast<std::size_t>(c)].row(row);
  }
  return chains;
}

struct WrongLabel {
  double probability, standard_error;
};

// An average over draws of the probability given f.  A row that counts for less than one is judged,
// as by EP, as if it counted for one: draws are reweighted by p(y|f)^(1-w).
WrongLabel wrong_label(const LabelFactors& factors, Index row, const Matrix& f) {
  const double missing = 1.0 - factors.observations().power_of(row);
  const Matrix wrong = f.unaryExpr([&](double x) { return factors.p_wrong(row, x); });
  if (missing == 0.0) return {wrong.mean(), standard_error_of(wrong)};
  Matrix share = f.unaryExpr([&](double x) { return missing * factors.log_p(row, x); });
  const double largest = share.maxCoeff();
  // Draws none of which is possible are not of the posterior, as r_hat says: nothing to reweight.
  if (!std::isfinite(largest)) return {wrong.mean(), std::numeric_limits<double>::infinity()};
  share = (share.array() - largest).exp();
  share /= share.mean();
  const double p = share.cwiseProduct(wrong).mean();
  return {p, standard_error_of(share.array() * (wrong.array() - p))};
}

bool starts_possible(const SamplingProblem& problem, const PosteriorSample& sample) {
  return std::ranges::all_of(sample.draws, [&](const Matrix& draws) {
    return std::isfinite(problem.factors().log_p(draws.col(0)));
  });
}

void summarise_row(const SamplingProblem& problem, Index i, PosteriorSample& sample) {
  const Matrix f = draws_of_row(sample.draws, i);
  const ChainSummary latent = summary_of(f);
  sample.mean[i] = latent.mean;
  sample.variance[i] = latent.variance;
  sample.mean_error[i] = latent.standard_error;
  sample.variance_error[i] = standard_error_of((f.array() - latent.mean).square());
  sample.r_hat[i] = sample.is_possible ? latent.r_hat : std::numeric_limits<double>::infinity();
  sample.effective[i] = sample.is_possible ? latent.effective : 0.0;
  const WrongLabel wrong = wrong_label(problem.factors(), i, f);
  sample.p_wrong[i] = wrong.probability;
  sample.p_wrong_error[i] = wrong.standard_error;
}

// A row takes draws × lags, which is long where many draws are much alike: asked between rounds.
void summarise(const SamplingProblem& problem, const SamplingWatcher& watcher,
               PosteriorSample& sample) {
  const Index n = problem.size();
  sample.is_possible = starts_possible(problem, sample);
  for (Vector* v :
       {&sample.mean, &sample.variance, &sample.p_wrong, &sample.mean_error, &sample.variance_error,
        &sample.p_wrong_error, &sample.r_hat, &sample.effective}) {
    v->resize(n);
  }
  const Index rows_per_round = 4 * static_cast<Index>(problem.threads().count);
  for (Index done = 0; done < n; done += rows_per_round) {
    if (watcher && !watcher({"summing up", done, n})) {
      sample.interrupted = true;
      return;
    }
    parallel_for(std::min(rows_per_round, n - done), problem.threads(),
                 [&](Index k) { summarise_row(problem, done + k, sample); });
  }
}

}  // namespace

PosteriorSample sample_posterior(const SamplingProblem& problem, const Mcmc& options) {
  check_options(problem, options);
  const auto count = static_cast<std::size_t>(options.chains);
  std::vector<Chain> chains;
  for (std::size_t c = 0; c < count; ++c) chains.emplace_back(problem, options, c);
  PosteriorSample sample;
  for (std::size_t c = 0; c < count; ++c) sample.draws.emplace_back(problem.size(), options.draws);
  const Index total = options.warmup + options.draws;
  for (Index done = 0; done < total; done += sweeps_per_round) {
    if (options.watcher && !options.watcher({"sampling", done, total})) {
      const Index kept = std::max<Index>(0, done - options.warmup);
      for (Matrix& draws : sample.draws) draws.conservativeResize(Eigen::NoChange, kept);
      sample.interrupted = true;
      return sample;
    }
    const Index end = std::min(total, done + sweeps_per_round);
    parallel_for(options.chains, problem.threads(), [&](Index number) {
      const auto c = static_cast<std::size_t>(number);
      for (Index sweep = done; sweep < end; ++sweep) {
        chains[c].sweep();
        if (sweep >= options.warmup) sample.draws[c].col(sweep - options.warmup) = chains[c].f();
      }
    });
  }
  summarise(problem, options.watcher, sample);
  return sample;
}

}  // namespace candor
