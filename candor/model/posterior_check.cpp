// SPDX-License-Identifier: MIT
#include <candor/model/posterior_check.hpp>

#include <candor/linalg/errors.hpp>
#include <candor/model/fit.hpp>
#include <candor/model/posterior.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace candor {
namespace {

LargestDifference largest(const Vector& difference, const Vector& error) {
  LargestDifference found;
  (difference.cwiseAbs() - 2.0 * error).maxCoeff(&found.row);
  return {.row = found.row,
          .value = difference[found.row],
          .error = error[found.row],
          .at_most = (difference.cwiseAbs() + 2.0 * error).maxCoeff()};
}

// Draws to go back from, spread over all chains.
Matrix some_draws(const PosteriorSample& truth, int count) {
  const auto chains = static_cast<Index>(truth.draws.size());
  const Index each = truth.draws.front().cols(), total = chains * each;
  Matrix some(truth.draws.front().rows(), count);
  for (Index k = 0; k < count; ++k) {
    const Index at = (2 * k + 1) * total / (2 * static_cast<Index>(count));
    some.col(k) = truth.draws[static_cast<std::size_t>(at / each)].col(at % each);
  }
  return some;
}

std::vector<const Process*> processes_to_check(const Question& question, bool all) {
  std::vector<const Process*> chosen;
  if (!all) return {&*std::ranges::max_element(question.processes, {}, &Process::weight)};
  for (const Process& process : question.processes) chosen.push_back(&process);
  return chosen;
}

template <class Result>
Result unless_stopped(Result result) {
  if (result.interrupted) throw Cancelled();
  return result;
}

// A line of progress says which process and what of it.
SamplingWatcher named(const SamplingWatcher& watcher, const std::string& name) {
  if (!watcher) return {};
  return [&watcher, name](const SamplingProgress& progress) {
    const std::string stage = fmt::format("{}, {}", name, progress.stage);
    return watcher({stage, progress.done, progress.total});
  };
}

ProcessCheck check_process(const Classifier& classifier, const Question& question,
                           const Process& process, const Inference& engine,
                           const CheckOptions& options) {
  CheckOptions named_options = options;
  named_options.watcher = named(options.watcher, process.name);
  ProcessCheck check =
      check_posterior({process.covariance, process.likelihood, engine}, classifier.X,
                      observations_of(classifier, question.positive_class), named_options,
                      Sites{process.site_tau, process.site_nu});
  check.positive_class = question.positive_class;
  check.name = process.name;
  check.weight = process.weight;
  return check;
}

void check_at_least(std::string_view name, Index value, Index least) {
  if (value >= least) return;
  throw InvalidInput(fmt::format("{} is {}: it must be at least {}", name, value, least));
}

void check_options(const CheckOptions& options) {
  check_at_least("chains", options.chains, 1);
  check_at_least("draws", options.draws, 4);
  check_at_least("warmup", options.warmup, 0);
  check_at_least("runs", options.runs, 2);
  check_at_least("temperatures", options.temperatures, 1);
  check_at_least("threads", options.threads.count, 1);
  // Two runs back from one draw would be taken for two that know nothing of each other.
  if (const Index all = options.chains * options.draws; options.runs > all) {
    throw InvalidInput(
        fmt::format("runs is {}: it must be at most chains x draws, {}, since each run "
                    "back begins at a draw of its own",
                    options.runs, all));
  }
}

double mean_prior_variance(const SamplingProblem& problem) {
  return problem.prior().factor.squaredNorm() / static_cast<double>(problem.size());
}

// Where tempering takes many temperatures; and where labels cannot be wrong, loses all f that they
// rule out at the first of them, of which runs back know nothing.
bool has_hardly_any_noise(const SamplingProblem& problem) {
  // At 200 temperatures, labels that cannot be wrong did no harm at 2.5e-7, and did at 2.5e-9.
  constexpr double hardly_any = 1e-6;
  return problem.factors().is_noisy_step() &&
         problem.factors().noise_variance() <= hardly_any * mean_prior_variance(problem);
}

bool has_certain_labels(const SamplingProblem& problem) {
  for (Index i = 0; i < problem.size(); ++i) {
    if (problem.factors().step(i).wrong == 0.0) return true;
  }
  return false;
}

// Below it a variance is what jitter and the least variances of the engines have made of it.
double resolution_of(const SamplingProblem& problem, double jitter) {
  constexpr double least = 1e-100;
  return std::max(10.0 * jitter * mean_prior_variance(problem), least);
}

void check_has_two_classes(const Classifier& classifier) {
  if (!classifier.is_joint()) return;
  throw InvalidInput(fmt::format(
      "this is one model of {} classes, and only models of two can be sampled: fit with "
      "--multiclass one-vs-rest",
      classifier.classes.size()));
}

}  // namespace

void find_differences(ProcessCheck& check, double resolution) {
  const PosteriorSample& truth = check.truth;
  const Eigen::ArrayXd variance = truth.variance.array() + resolution;
  const Vector sd = variance.sqrt();
  check.mean = largest((check.engine_says.latent_mean - truth.mean).cwiseQuotient(sd),
                       truth.mean_error.cwiseQuotient(sd));
  // log sd is half of log variance.
  check.sd_ratio = largest(
      0.5 * ((check.engine_says.latent_variance.array() + resolution) / variance).log().matrix(),
      0.5 * truth.variance_error.cwiseQuotient(variance.matrix()));
  check.p_wrong = largest(check.engine_says.p_wrong - truth.p_wrong, truth.p_wrong_error);
}

double ProcessCheck::evidence_difference() const {
  return engine_says.log_evidence - evidence.log_evidence;
}

// From the farther of there and back, as a fault is from the nearer.
double ProcessCheck::evidence_off_at_most() const {
  const auto at_most = [&](const AnnealedEvidence& annealed) {
    return std::abs(engine_says.log_evidence - annealed.log_evidence) +
           2.0 * annealed.standard_error;
  };
  return std::max(at_most(evidence), at_most(back));
}

bool ProcessCheck::evidence_is_settled() const {
  if (evidence_out_of_reach) return false;
  // Three standard errors, and a twentieth of a nat that decides nothing; but large errors do not
  // excuse a difference that matters.
  const double noise = std::hypot(evidence.standard_error, back.standard_error);
  const double apart = std::abs(evidence.log_evidence - back.log_evidence);
  return noise <= nats_that_matter && apart <= std::min(3.0 * noise + 0.05, nats_that_matter);
}

Inference engine_of(const Classifier& classifier) {
  const auto options = nlohmann::json::parse(classifier.provenance.options, nullptr, false);
  if (!options.is_object() || !options.contains("inference")) return Ep{};
  const auto& name = options["inference"];
  if (!name.is_string()) throw InvalidInput("the inference of the model's options is no name");
  return engine_named(name.get_ref<const std::string&>());
}

ProcessCheck check_posterior(const Model& model, const Matrix& X, const Observations& observations,
                             const CheckOptions& options, const std::optional<Sites>& first) {
  check_options(options);
  ProcessCheck check{.weight = 1.0,
                     .engine = std::string(name_of(model.inference)),
                     .engine_says = infer(model.inference, model.covariance, model.likelihood, X,
                                          observations, options.threads, first)};
  Approximation& q = check.engine_says;
  q.posterior = {};  // two n×n matrices that nobody asks for again
  const SamplingProblem problem(model.covariance, model.likelihood, X, observations,
                                Sites{q.site_tau, q.site_nu}, options.threads);
  // Sites that leave no proper Gaussian leave the prior to begin from; so do, where that leads to
  // the labels too, sites that are no fixed point and steps that tempering climbs badly.
  const bool raises_steps = can_anneal_steps(problem);
  check.from_prior = options.from_prior || !problem.near() ||
                     (raises_steps && (!check.engine_converged() || has_hardly_any_noise(problem)));
  check.evidence_out_of_reach =
      !raises_steps && has_hardly_any_noise(problem) && has_certain_labels(problem);
  check.jitter = std::max(q.outcome.jitter, problem.jitter());
  check.truth = unless_stopped(sample_posterior(problem, {.chains = options.chains,
                                                          .warmup = options.warmup,
                                                          .draws = options.draws,
                                                          .seed = options.seed,
                                                          .watcher = options.watcher}));
  // From the prior, raising steps leads to the labels far sooner than tempering does.
  const auto prior = raises_steps ? AnnealFrom::prior_by_steps : AnnealFrom::prior;
  const Annealing annealing{.runs = options.runs,
                            .temperatures = options.temperatures,
                            .from = check.from_prior ? prior : AnnealFrom::near,
                            .seed = options.seed,
                            .watcher = options.watcher};
  check.evidence = unless_stopped(anneal(problem, annealing));
  check.back =
      unless_stopped(anneal_back(problem, some_draws(check.truth, options.runs), annealing));
  find_differences(check, resolution_of(problem, check.jitter));
  return check;
}

std::vector<ProcessCheck> check_posteriors(const Classifier& classifier, const Inference& engine,
                                           const CheckOptions& options) {
  check_options(options);  // all of it before the first sweep
  check_has_two_classes(classifier);
  std::vector<ProcessCheck> checks;
  for (const Question& question : classifier.questions) {
    for (const Process* process : processes_to_check(question, options.all_models)) {
      checks.push_back(check_process(classifier, question, *process, engine, options));
    }
  }
  return checks;
}

Cost cost_of_check(const Classifier& classifier, const CheckOptions& options) {
  Index processes = 0;
  for (const Question& question : classifier.questions) {
    processes += std::ssize(processes_to_check(question, options.all_models));
  }
  return cost_of_check(classifier.X.rows(), processes, options);
}

Cost cost_of_check(Index rows, Index models, const CheckOptions& options) {
  const auto n = static_cast<double>(rows), processes = static_cast<double>(models);
  const double sweeps =
      static_cast<double>(options.chains) * static_cast<double>(options.warmup + options.draws);
  const double steps = 2.0 * static_cast<double>(options.runs) * options.temperatures;
  // A sweep reads some ten n×n matrices and asks some 15 times for all labels, a step of an anneal
  // one, or from the prior six, and 6 times.  Rates of one core of a server of 2020, right to a
  // factor of two or so.
  constexpr double seconds_per_entry = 0.4e-9, seconds_per_label = 80e-9;
  const double matrices = options.from_prior ? 6.0 : 1.0;
  const double one_thread =
      sweeps * n * (10.0 * n * seconds_per_entry + 15.0 * seconds_per_label) +
      steps * n * (matrices * n * seconds_per_entry + 6.0 * seconds_per_label);
  const double threads = std::min(options.threads.count, options.chains);
  const double draws =
      8.0 * n * static_cast<double>(options.chains) * static_cast<double>(options.draws);
  // A run holds a block of draws from the Gaussian it begins at, and some vectors.
  const double runs = 8.0 * n * (ReferenceDraws::at_once + 4.0) * options.runs;
  // The matrices and runs of one process at a time, and the draws of all.
  return {.seconds = processes * one_thread / threads,
          .bytes = 8.0 * n * n * 8.0 + runs + processes * draws};
}

}  // namespace candor
