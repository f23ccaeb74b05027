// SPDX-License-Identifier: MIT
#include <apps/cli/check.hpp>

#include <apps/cli/number_check.hpp>
#include <apps/cli/option_group.hpp>
#include <apps/cli/progress.hpp>
#include <apps/cli/time_limit.hpp>

#include <candor/model/check_verdict.hpp>
#include <candor/model/model_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor fit data/new_thyroid.csv --label label --multiclass one-vs-rest -o thyroid.model
  candor check thyroid.model
  candor check thyroid.model --models all --draws 500 --format json -o check.json
  candor check data/new_thyroid.csv --label label --multiclass one-vs-rest --covariance matern

A model's Gaussian posterior (by EP, Laplace's method or variational inference) beside Markov chains
that sample the true one, and beside its evidence by annealed importance sampling, on the rows it
was learned from and at the hyperparameters that were learned:
  outcome        whether the model's engine converges, the jitter that K took, where anneals began
  log evidence   by both; "back" is the anneal in reverse, which errs to the other side; a model by
                 variational inference has a lower bound instead
  latent         the row whose mean is furthest off beyond two standard errors, in standard
                 deviations of the truth, and the one whose deviation is
  p_wrong        of this process by itself: what audit reports is averaged over processes
  R-hat          how much the chains still disagree: above 1.05 they have not met, and nothing is
                 known yet (exit code 4, as with fewer than 100 effective draws, an engine that does
                 not converge, learning that did not, or an evidence that differs there and back or
                 is known to no better than 0.5 nats)
  verdict        the engine is off where any row's p_wrong is by more than 0.05, its latent mean by
                 a quarter of a deviation, its deviation by a factor of 1.25, or the evidence by
                 0.5 nats, beyond two standard errors; where two errors more would make it so, it
                 may be
Of more than two classes, models of one-vs-rest are checked; what audit fits to them by default, one
model of all classes, cannot be.
Each process takes thousands of steps of n² for n rows.  What is after ± is a standard error.
Options of the columns and the model are for a table, which is fitted first, and refused with a
model; --max-memory and --max-time are for both.)";

constexpr double worth_a_word = 2.0;  // seconds

// What shapes a fit, and says nothing to a model that was fitted.
bool is_for_tables(const CLI::Option& option) {
  const std::string& group = option.get_group();
  const std::string name = option.get_name();
  if (!option.nonpositional() || name == "--seed") return false;
  return group == "Table" || group == "Columns" || group == "Model" || name == "--sample";
}

Classifier classifier_for(const CheckCommand& command, const Messages& messages,
                          const Interruptible& interruptible) {
  if (is_model_file(command.reading.path)) {
    if (!command.for_tables.empty()) {
      throw UsageError(
          fmt::format("{} is a model, which knows its columns and options: leave {} out",
                      command.reading.path, fmt::join(command.for_tables, ", ")));
    }
    return load(command.reading.path);
  }
  const FitOptions options = fit_options(command);
  const Workload work = load_workload(command, messages);
  if (is_joint(work.prepared, options)) {
    throw InvalidInput(fmt::format(
        "{} has {} classes, and only models of two can be sampled: check it with --multiclass "
        "one-vs-rest",
        command.reading.path, work.prepared.labels.classes.size()));
  }
  Classifier classifier = fit_within_limits(work, options, command.limits, messages, interruptible);
  if (classifier.interrupted && interruptible.requested()) throw Cancelled();
  return classifier;
}

// Cancelled after Ctrl-C, OverLimit after --max-time, which `clock` has counted from the beginning.
std::vector<ProcessCheck> checks_of(const Classifier& classifier, const CheckCommand& command,
                                    const TimeLimit& clock, const Messages& messages,
                                    const Interruptible& interruptible) {
  CheckOptions options = command.sampling;
  options.all_models = command.models == "all";
  options.warmup = options.draws / 2;
  options.seed = command.model.seed;
  options.threads = threads_of(command.model.threads);
  const Cost cost = cost_of_check(classifier, options);
  const std::string takes =
      fmt::format("{} rows take about {} and {} of memory to sample", classifier.X.rows(),
                  duration(cost.seconds), size(cost.bytes));
  const std::string exceeded = limit_exceeded(cost, clock.what_is_left());
  if (!exceeded.empty()) throw OverLimit(fmt::format("{}, and {}", takes, exceeded));
  if (cost.seconds > worth_a_word) messages.say(takes);
  ProgressLine line(messages.err(), messages.progress(), cost.seconds);
  bool out_of_time = false;
  options.watcher = [&](const SamplingProgress& progress) {
    line.show(progress);
    out_of_time = clock.is_over();
    return !interruptible.requested() && !out_of_time;
  };
  try {
    return check_posteriors(classifier, engine_of(classifier), options);
  } catch (const Cancelled&) {
    if (out_of_time) throw OverLimit("--max-time is over; nothing was written");
    throw;
  }
}

Index row_of(const Classifier& classifier, Index at) {
  return classifier.row[static_cast<std::size_t>(at)] + 1;
}

Json as_json(const AnnealedEvidence& evidence) {
  return {{"log_evidence", finite(evidence.log_evidence)},
          {"standard_error", finite(evidence.standard_error)},
          {"effective_runs", finite(evidence.effective_runs)}};
}

Json as_json(const LargestDifference& difference, const Classifier& classifier) {
  return {{"row", row_of(classifier, difference.row)},
          {"difference", finite(difference.value)},
          {"standard_error", finite(difference.error)}};
}

Json rows_json(const ProcessCheck& check, const Classifier& classifier) {
  Json rows = Json::array();
  const auto& q = check.engine_says;
  for (Index i = 0; i < q.latent_mean.size(); ++i) {
    rows.push_back({{"row", row_of(classifier, i)},
                    {"latent_mean", finite(q.latent_mean[i])},
                    {"latent_variance", finite(q.latent_variance[i])},
                    {"p_wrong", finite(q.p_wrong[i])},
                    {"latent_mean_sampled", finite(check.truth.mean[i])},
                    {"latent_variance_sampled", finite(check.truth.variance[i])},
                    {"p_wrong_sampled", finite(check.truth.p_wrong[i])},
                    {"p_wrong_error", finite(check.truth.p_wrong_error[i])},
                    {"r_hat", finite(check.truth.r_hat[i])},
                    {"effective_draws", finite(check.truth.effective[i])}});
  }
  return rows;
}

Json as_json(const ProcessCheck& check, const Classifier& classifier) {
  return {{"class", classifier.classes[static_cast<std::size_t>(check.positive_class)]},
          {"model", check.name},
          {"weight", finite(check.weight)},
          {"engine", check.engine},
          {"engine_converged", check.engine_converged()},
          {"jitter", finite(check.jitter)},
          {"from_prior", check.from_prior},
          {"log_evidence", finite(check.engine_says.log_evidence)},
          {"sampled", as_json(check.evidence)},
          {"back", as_json(check.back)},
          {"latent_mean", as_json(check.mean, classifier)},
          {"latent_log_sd", as_json(check.sd_ratio, classifier)},
          {"p_wrong", as_json(check.p_wrong, classifier)},
          {"chains", check.truth.draws.size()},
          {"draws", check.truth.draws.front().cols()},
          {"r_hat", finite(check.truth.worst_r_hat())},
          {"effective_draws", finite(check.truth.least_effective())},
          {"evidence_settled", check.evidence_is_settled()},
          {"settled", check.settled()},
          {"judgement", name_of(judgement(check))},
          {"verdict", verdict(check, classifier, 1)},
          {"rows", rows_json(check, classifier)}};
}

std::string as_text(const ProcessCheck& check, const Classifier& classifier, bool name_class) {
  const std::string_view engine = spoken_name(engine_named(check.engine));
  const Approximation& q = check.engine_says;
  const Index m = check.mean.row, p = check.p_wrong.row;
  std::string text = fmt::format(
      "{}{}, weight {:.2f}\n",
      name_class
          ? printable(classifier.classes[static_cast<std::size_t>(check.positive_class)]) + ": "
          : "",
      printable(check.name), check.weight);
  text += fmt::format("  outcome       {} {}; {}; annealed from {}\n", engine,
                      check.engine_converged() ? "has converged" : "has NOT converged",
                      check.jitter > 0.0 ? fmt::format("jitter {:.0e}", check.jitter) : "no jitter",
                      check.from_prior ? "the prior" : "its Gaussian");
  text += fmt::format(
      "  log evidence  {:.2f} by {}, {:.2f} ± {:.2f} sampled, {:.2f} ± {:.2f} back\n",
      q.log_evidence, engine, check.evidence.log_evidence, check.evidence.standard_error,
      check.back.log_evidence, check.back.standard_error);
  text += fmt::format(
      "  latent        mean of row {}: {:.2f} by {}, {:.2f} ± {:.2f} sampled ({:+.2f} sd)\n",
      row_of(classifier, m), q.latent_mean[m], engine, check.truth.mean[m],
      check.truth.mean_error[m], check.mean.value);
  text += fmt::format("                sd of row {}: {:.3g} times the truth\n",
                      row_of(classifier, check.sd_ratio.row), std::exp(check.sd_ratio.value));
  if (check.has_label_errors()) {
    text += fmt::format("  p_wrong       of row {}: {:.3f} by {}, {:.3f} ± {:.3f} sampled\n",
                        row_of(classifier, p), q.p_wrong[p], engine, check.truth.p_wrong[p],
                        check.truth.p_wrong_error[p]);
  }
  text += fmt::format(
      "  chains        {} of {} draws; in the worst row R-hat {:.3f}, {:.0f} effective draws\n",
      check.truth.draws.size(), check.truth.draws.front().cols(), check.truth.worst_r_hat(),
      check.truth.least_effective());
  return text + wrapped("", printable(verdict(check, classifier, 1)), 0);
}

bool all_settled(const std::vector<ProcessCheck>& checks) {
  return std::ranges::all_of(checks, [](const ProcessCheck& check) { return check.settled(); });
}

std::string written(const std::vector<ProcessCheck>& checks, const Classifier& classifier,
                    Format format) {
  if (format == Format::table) {
    std::string text;
    for (const ProcessCheck& check : checks) {
      text +=
          (text.empty() ? "" : "\n") + as_text(check, classifier, classifier.questions.size() > 1);
    }
    return text;
  }
  Json document{{"schema_version", schema_version},
                {"learned", classifier.converged()},
                {"settled", all_settled(checks)}};
  for (const ProcessCheck& check : checks) {
    document["processes"].push_back(as_json(check, classifier));
  }
  return dumped(document, 2) + '\n';
}

void add_sampling_options(CLI::App& command, CheckCommand& o) {
  const OptionGroup group(command, "Sampling");
  command.add_option("--models", o.models, "Which processes: best (of most weight), all")
      ->type_name("WHICH")
      ->check(CLI::IsMember(std::vector<std::string>{"best", "all"}))
      ->capture_default_str();
  command.add_option("--chains", o.sampling.chains, "Markov chains")
      ->type_name("N")
      ->check(whole_number("--chains", 1, 1000))
      ->capture_default_str();
  command
      .add_option("--draws", o.sampling.draws,
                  "Draws of each chain, after half as many thrown away")
      ->type_name("N")
      ->check(whole_number("--draws", 4, 10'000'000))
      ->capture_default_str();
  command.add_option("--runs", o.sampling.runs, "Annealed runs for the evidence, and as many back")
      ->type_name("N")
      ->check(whole_number("--runs", 2, 100'000))
      ->capture_default_str();
  command.add_option("--temperatures", o.sampling.temperatures, "Steps of each annealed run")
      ->type_name("N")
      ->check(whole_number("--temperatures", 1, 10'000'000))
      ->capture_default_str();
  command.add_flag("--from-prior", o.sampling.from_prior,
                   "Anneal from the prior, which owes nothing to the approximation and takes more "
                   "temperatures");
}

// Before a table is fitted for nothing.
void check_runs(const CheckOptions& options) {
  const Index draws = options.chains * options.draws;
  if (options.runs <= draws) return;
  throw UsageError(
      fmt::format("--runs is {}: it must be at most --chains x --draws, {}, since each run back "
                  "begins at a draw of its own",
                  options.runs, draws));
}

}  // namespace

void add_check(CLI::App& app, Job& job) {
  auto o = std::make_shared<CheckCommand>();
  CLI::App* command =
      app.add_subcommand("check", "How far a model's approximation is from the truth, by sampling");
  add_reading_options(*command, o->reading);
  command->get_option("table")->description("A model file, or a table, which is fitted first");
  add_column_options(*command, o->columns);
  add_sampling_options(*command, *o);
  add_output_options(*command, o->output, "table", {"table", "json"});
  add_model_options(*command, o->model);
  command->get_option("--seed")->description("Of the random draws");
  add_limit_options(*command, o->limits);
  add_verbosity(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback([o, command, &job] {
    for (const CLI::Option* option : command->get_options()) {
      if (option->count() > 0 && is_for_tables(*option))
        o->for_tables.push_back(option->get_name());
    }
    job.run = [o](const Streams& streams) { return run_check(*o, streams); };
  });
}

ExitCode run_check(const CheckCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const Format format = format_of(command.output, Format::table);
  check_runs(command.sampling);
  check_destinations({{"-o", command.output.path}}, {command.reading.path});
  const TimeLimit clock(command.limits);
  Interruptible interruptible(messages.progress());
  const Classifier classifier = classifier_for(command, messages, interruptible);
  const std::vector<ProcessCheck> checks =
      checks_of(classifier, command, clock, messages, interruptible);
  interruptible.keep_answer();
  deliver(written(checks, classifier, format), command.output.path, streams);
  const bool learned = classifier.converged(), settled = all_settled(checks);
  if (!learned) {
    messages.say(
        "learning had not converged: this is a check of the numbers that it stopped at, not of "
        "whether they are the best (exit code 4)");
  }
  if (!settled) messages.say("sampling has not settled; results were written (exit code 4)");
  return learned && settled ? ExitCode::done : ExitCode::not_converged;
}

}  // namespace candor::cli
