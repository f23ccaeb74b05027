// SPDX-License-Identifier: MIT
#include <candor/inference/annealed_importance.hpp>

#include <candor/inference/elliptical_slice.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace candor {
namespace {

constexpr int temperatures_per_round = 10;
constexpr std::uint64_t first_stream = std::uint64_t{1} << 40U;  // apart from those of chains

enum class Direction { forward, back };

const GaussianReference& reference_of(const SamplingProblem& problem, const Annealing& options) {
  return options.from == AnnealFrom::near ? *problem.near() : problem.prior();
}

// From the prior, or the Gaussian of sites.
class SliceRun {
 public:
  SliceRun(const SamplingProblem& problem, const Annealing& options, std::uint64_t stream)
      : problem_(&problem),
        options_(&options),
        reference_(&reference_of(problem, options)),
        random_(options.seed, first_stream + 2 * stream),
        deviations_(*reference_, Random(options.seed, first_stream + 2 * stream + 1)) {
    start_at(reference_->mean + deviations_.next());
  }

  void start_at(Vector f) {
    f_ = std::move(f);
    log_r_ = log_residual(f_);
    log_weight_ = reference_->log_Z;
  }

  // log p_{t+1}/p_t, here.
  void collect(int t) { log_weight_ += (beta(t + 1) - beta(t)) * log_r_; }

  void move_at(int t) {
    const LogFactor tempered = [&](const Vector& f) { return beta(t) * log_residual(f); };
    for (int k = 0; k < options_->moves; ++k) {
      log_r_ = elliptical_slice(f_, beta(t) * log_r_, reference_->mean, deviations_.next(),
                                tempered, random_) /
               beta(t);
    }
  }
  [[nodiscard]] double log_weight() const { return log_weight_; }

 private:
  [[nodiscard]] double beta(int t) const {
    return std::pow(static_cast<double>(t) / options_->temperatures, options_->power);
  }
  [[nodiscard]] double log_residual(const Vector& f) const {
    return problem_->factors().log_residual(f, reference_->tau, reference_->nu);
  }

  const SamplingProblem* problem_;
  const Annealing* options_;
  const GaussianReference* reference_;
  Random random_;
  ReferenceDraws deviations_;
  Vector f_;
  double log_r_ = 0.0, log_weight_ = 0.0;
};

// From labels that say nothing.
class StepRun {
 public:
  StepRun(const SamplingProblem& problem, const Annealing& options, std::uint64_t stream)
      : problem_(&problem),
        options_(&options),
        random_(options.seed, first_stream + 2 * stream),
        from_prior_(problem.prior(), Random(options.seed, first_stream + 2 * stream + 1)),
        f_(from_prior_.next()) {
    const LabelFactors& factors = problem.factors();
    for (Index i = 0; i < problem.size(); ++i) {
      log_weight_ += factors.observations().weight_of(i) * std::log1p(-factors.step(i).missed);
    }
  }

  void start_at(Vector f) { f_ = std::move(f); }

  void collect(int t) {
    const Vector now = height(t), next = height(t + 1);
    for (Index i = 0; i < f_.size(); ++i) {
      log_weight_ += gibbs().log_p(i, f_[i], next[i]) - gibbs().log_p(i, f_[i], now[i]);
    }
  }

  void move_at(int t) {
    const Vector rise = height(t);
    for (int k = 0; k < options_->moves; ++k) gibbs().sweep(f_, rise, from_prior_, random_);
  }
  [[nodiscard]] double log_weight() const { return log_weight_; }

 private:
  [[nodiscard]] const GibbsStep& gibbs() const { return *problem_->gibbs(); }
  // b = 1 - (1 - s²)⁴, s = t/T: dense near 0, where half of the rows are beyond their steps, and
  // near 1, where the steps of labels that cannot be wrong grow without bound.
  [[nodiscard]] Vector height(int t) const {
    if (t == options_->temperatures) return gibbs().rise();
    const double s = static_cast<double>(t) / options_->temperatures;
    const double log_rest = 4.0 * std::log1p(-s * s);
    const double rest = std::exp(log_rest), b = -std::expm1(log_rest);  // rest = 1 - b
    return gibbs().rise().unaryExpr([&](double rise) {
      const double lost = b * std::expm1(-rise);
      return lost > -0.5 ? -std::log1p(lost) : -std::log(rest + b * std::exp(-rise));
    });
  }

  const SamplingProblem* problem_;
  const Annealing* options_;
  Random random_;
  ReferenceDraws from_prior_;
  Vector f_;
  double log_weight_ = 0.0;
};

void check_options(const SamplingProblem& problem, const Annealing& options) {
  if (options.runs < 2) {
    throw InvalidInput("runs is " + std::to_string(options.runs) +
                       ": it must be at least 2, for a standard error");
  }
  check_positive("temperatures", options.temperatures);
  check_positive("moves", options.moves);
  check_positive("power", options.power);
  if (options.from == AnnealFrom::near && !problem.near()) {
    throw InvalidInput("to anneal from sites needs some that give a proper Gaussian");
  }
  if (options.from == AnnealFrom::prior_by_steps && !can_anneal_steps(problem)) {
    throw InvalidInput(
        "to anneal steps needs labels that are a noisy step, each row counted once or without "
        "noise");
  }
}

// The log of the mean of exp(x), and its standard error by the delta method.
AnnealedEvidence average(Vector log_weight, Direction direction) {
  const double sign = direction == Direction::forward ? 1.0 : -1.0;
  const double largest = (sign * log_weight).maxCoeff();
  if (!std::isfinite(largest)) {
    return {sign * largest, std::numeric_limits<double>::infinity(), 0.0, std::move(log_weight)};
  }
  const Vector w = (sign * log_weight.array() - largest).exp();
  const auto runs = static_cast<double>(w.size());
  const double mean = w.mean(), squares = w.squaredNorm();
  const double variance = (w.array() - mean).square().sum() / (runs - 1.0);
  return {.log_evidence = sign * (largest + std::log(mean)),
          .standard_error = std::sqrt(variance / runs) / mean,
          .effective_runs = w.sum() * w.sum() / squares,
          .log_weight = std::move(log_weight)};
}

// Step t of a run goes from temperature t to t + 1, or back.
template <class Run>
void step(Run& run, const Annealing& options, Direction direction, int t) {
  if (direction == Direction::forward) {
    run.collect(t);
    if (t + 1 < options.temperatures) run.move_at(t + 1);
    return;
  }
  // The reverse of the same: moves at T-1 … 1, each before what the step below it collects.
  const int from = options.temperatures - t;
  if (from < options.temperatures) run.move_at(from);
  run.collect(from - 1);
}

template <class Run>
AnnealedEvidence run_all(std::vector<Run> runs, const SamplingProblem& problem,
                         const Annealing& options, Direction direction) {
  const int total = options.temperatures;
  for (int done = 0; done < total; done += temperatures_per_round) {
    if (options.watcher && !options.watcher({"annealing", done, total})) {
      return {.interrupted = true};
    }
    const int end = std::min(total, done + temperatures_per_round);
    parallel_for(static_cast<Index>(runs.size()), problem.threads(), [&](Index k) {
      for (int t = done; t < end; ++t) {
        step(runs[static_cast<std::size_t>(k)], options, direction, t);
      }
    });
  }
  Vector log_weight(static_cast<Index>(runs.size()));
  for (Index k = 0; k < log_weight.size(); ++k) {
    log_weight[k] = runs[static_cast<std::size_t>(k)].log_weight();
  }
  return average(std::move(log_weight), direction);
}

template <class Run>
AnnealedEvidence forward(const SamplingProblem& problem, const Annealing& options) {
  std::vector<Run> runs;
  runs.reserve(static_cast<std::size_t>(options.runs));
  for (int k = 0; k < options.runs; ++k) {
    runs.emplace_back(problem, options, static_cast<std::uint64_t>(k));
  }
  return run_all(std::move(runs), problem, options, Direction::forward);
}

template <class Run>
AnnealedEvidence back(const SamplingProblem& problem, const Matrix& draws,
                      const Annealing& options) {
  std::vector<Run> runs;
  runs.reserve(static_cast<std::size_t>(draws.cols()));
  for (Index k = 0; k < draws.cols(); ++k) {
    // Apart from the streams of the forward runs.
    runs.emplace_back(problem, options, (std::uint64_t{1} << 30U) + static_cast<std::uint64_t>(k));
    runs.back().start_at(draws.col(k));
  }
  return run_all(std::move(runs), problem, options, Direction::back);
}

}  // namespace

bool can_anneal_steps(const SamplingProblem& problem) {
  return problem.gibbs() && problem.gibbs()->moves_noisy_values();
}

AnnealedEvidence anneal(const SamplingProblem& problem, const Annealing& options) {
  check_options(problem, options);
  return options.from == AnnealFrom::prior_by_steps ? forward<StepRun>(problem, options)
                                                    : forward<SliceRun>(problem, options);
}

AnnealedEvidence anneal_back(const SamplingProblem& problem, const Matrix& draws,
                             const Annealing& options) {
  Annealing as_many = options;
  as_many.runs = static_cast<int>(draws.cols());
  check_options(problem, as_many);
  check_same_size("rows of draws", draws.rows(), "labels", problem.size());
  return options.from == AnnealFrom::prior_by_steps ? back<StepRun>(problem, draws, as_many)
                                                    : back<SliceRun>(problem, draws, as_many);
}

}  // namespace candor
