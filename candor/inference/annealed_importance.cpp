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
  return options.from_near ? *problem.near() : problem.prior();
}

double temperature(const Annealing& options, int t) {
  return std::pow(static_cast<double>(t) / options.temperatures, options.power);
}

class Run {
 public:
  Run(const SamplingProblem& problem, const Annealing& options, std::uint64_t stream)
      : problem_(&problem),
        reference_(&reference_of(problem, options)),
        slices_(options.slices),
        random_(options.seed, first_stream + 2 * stream),
        deviations_(*reference_, Random(options.seed, first_stream + 2 * stream + 1)) {
    start_at(reference_->mean + deviations_.next());
  }

  void start_at(Vector f) {
    f_ = std::move(f);
    log_r_ = log_residual(f_);
    log_weight_ = reference_->log_Z;
  }

  void collect(double step) { log_weight_ += step * log_r_; }

  void move_at(double beta) {
    const LogFactor tempered = [&](const Vector& f) { return beta * log_residual(f); };
    for (int k = 0; k < slices_; ++k) {
      log_r_ = elliptical_slice(f_, beta * log_r_, reference_->mean, deviations_.next(), tempered,
                                random_) /
               beta;
    }
  }
  [[nodiscard]] double log_weight() const { return log_weight_; }

 private:
  [[nodiscard]] double log_residual(const Vector& f) const {
    return problem_->factors().log_residual(f, reference_->tau, reference_->nu);
  }

  const SamplingProblem* problem_;
  const GaussianReference* reference_;
  int slices_;
  Random random_;
  ReferenceDraws deviations_;
  Vector f_;
  double log_r_ = 0.0, log_weight_ = 0.0;
};

void check_options(const SamplingProblem& problem, const Annealing& options) {
  if (options.runs < 2) {
    throw InvalidInput("runs is " + std::to_string(options.runs) +
                       ": it must be at least 2, for a standard error");
  }
  check_positive("temperatures", options.temperatures);
  check_positive("slices", options.slices);
  check_positive("power", options.power);
  if (options.from_near && !problem.near()) {
    throw InvalidInput("from_near needs sites that give a proper Gaussian");
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
void step(Run& run, const Annealing& options, Direction direction, int t) {
  if (direction == Direction::forward) {
    run.collect(temperature(options, t + 1) - temperature(options, t));
    if (t + 1 < options.temperatures) run.move_at(temperature(options, t + 1));
    return;
  }
  // The reverse of the same: moves at β_{T-1} … β_1, each before what the step below it collects.
  const int from = options.temperatures - t;
  if (from < options.temperatures) run.move_at(temperature(options, from));
  run.collect(temperature(options, from) - temperature(options, from - 1));
}

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

}  // namespace

AnnealedEvidence anneal(const SamplingProblem& problem, const Annealing& options) {
  check_options(problem, options);
  std::vector<Run> runs;
  for (int k = 0; k < options.runs; ++k) {
    runs.emplace_back(problem, options, static_cast<std::uint64_t>(k));
  }
  return run_all(std::move(runs), problem, options, Direction::forward);
}

AnnealedEvidence anneal_back(const SamplingProblem& problem, const Matrix& draws,
                             const Annealing& options) {
  Annealing as_many = options;
  as_many.runs = static_cast<int>(draws.cols());
  check_options(problem, as_many);
  check_same_size("rows of draws", draws.rows(), "labels", problem.size());
  std::vector<Run> runs;
  for (Index k = 0; k < draws.cols(); ++k) {
    // Apart from the streams of the forward runs.
    runs.emplace_back(problem, options, (std::uint64_t{1} << 30U) + static_cast<std::uint64_t>(k));
    runs.back().start_at(draws.col(k));
  }
  return run_all(std::move(runs), problem, as_many, Direction::back);
}

}  // namespace candor
