// SPDX-License-Identifier: MIT
#include <apps/cli/compare.hpp>

#include <apps/cli/evidence_output.hpp>
#include <apps/cli/metrics.hpp>
#include <apps/cli/number_check.hpp>
#include <apps/cli/sampling.hpp>
#include <apps/cli/time_limit.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor compare data/new_thyroid.csv --label label
  candor compare data/new_thyroid.csv --label label --errors none,uniform,class --folds 5
  candor compare data/new_thyroid.csv --label label --covariance matern --covariance linear

What the words mean:
  regular              every label is right
  robust               each label is wrong with the same probability, the label-error rate
  class-dependent      each class has a rate of its own; of more than two, for every other class
  shared lengthscale   one distance over which the classes change, for all columns
  own lengthscales     one for each encoded column, of 100 at most: tied to stay near each other,
                       or loose
  evidence             log probability of the labels at the most probable lengthscales and rates,
                       their prior included, in nats
  integrated           the same averaged over lengthscales and rates: what models are compared by
  probability          of the model, if wrong labels were 19 times as probable as none beforehand

Evidence is of the whole table.  Cross-validation beside it compares views of the labels, each with
the covariances given (averaged over where none is given), on labels as they were recorded.  Columns
are encoded (numbers standardised, levels listed) once, from all rows and without their labels: what
is held out is labels, not the spread of the inputs.)";

// One line of the cross-validation: a view, with one covariance or with the defaults.
struct Contender {
  LabelErrors view;
  std::string covariance;  // empty: the defaults
};

std::vector<Contender> contenders(const FitOptions& options, const Prepared& prepared) {
  std::vector<Contender> all;
  for (const LabelErrors view : label_views(prepared, options)) {
    if (options.covariances.empty()) all.push_back({view, ""});
    for (const std::string& covariance : options.covariances) all.push_back({view, covariance});
  }
  return all;
}

struct HeldOut {
  Matrix p;  // of every labelled row, each by a model that has not seen its fold
  bool converged = true;
};

// The one of the whole comparison: views and folds by themselves could be asked about in another.
Multiclass way_to_ask(const CompareCommand& command, const Workload& work) {
  return is_joint(work.prepared, fit_options(command)) ? Multiclass::joint
                                                       : Multiclass::one_vs_rest;
}

// Throws Cancelled when interrupted: folds that stop half-way cannot be compared.
HeldOut held_out(const CompareCommand& command, const Workload& work, const Contender& contender,
                 const TimeLimit& clock, const Messages& messages,
                 const Interruptible& interruptible) {
  FitOptions options = fit_options(command.model);
  options.errors = {contender.view};
  options.covariances.clear();
  if (!contender.covariance.empty()) options.covariances = {contender.covariance};
  options.multiclass = way_to_ask(command, work);
  const std::vector<int> fold = folds_of(work.prepared, command.folds);
  const auto n = static_cast<Index>(fold.size());
  HeldOut result{Matrix(n, static_cast<Index>(work.prepared.labels.classes.size()))};
  for (int f = 0; f < command.folds; ++f) {
    std::vector<std::size_t> rest;
    std::vector<Index> positions, rows;
    for (std::size_t k = 0; k < fold.size(); ++k) {
      if (fold[k] != f) {
        rest.push_back(k);
        continue;
      }
      positions.push_back(static_cast<Index>(k));
      rows.push_back(work.prepared.rows[k]);
    }
    Workload part = work;
    keep_positions(part.prepared, rest);
    const Classifier classifier =
        fit_within_limits(part, options, clock.what_is_left(), messages, interruptible);
    if (interruptible.requested()) throw Cancelled();
    if (classifier.interrupted) throw OverLimit("--max-time is over");
    const Matrix X = work.prepared.inputs.X(rows, Eigen::all);
    result.p(positions, Eigen::all) = predict(classifier, X, options.threads).observed;
    result.converged = result.converged && classifier.converged();
  }
  return result;
}

struct CrossValidation {
  Sheet sheet = {{"errors", "covariance", "error", "log_loss", "brier", "calibration_error", "auc"},
                 {}};
  bool converged = true;  // all of it was done, and every search converged
};

// What was compared before a limit or Ctrl-C ended it.
CrossValidation cross_validation(const CompareCommand& command, const Workload& work,
                                 const TimeLimit& clock, const Messages& messages,
                                 const Interruptible& interruptible) {
  std::vector<int> codes;
  for (const Index row : work.prepared.rows) {
    codes.push_back(work.prepared.labels.codes[static_cast<std::size_t>(row)]);
  }
  CrossValidation result;
  try {
    for (const Contender& contender : contenders(fit_options(command.model), work.prepared)) {
      const HeldOut held = held_out(command, work, contender, clock, messages, interruptible);
      const Metrics m = measure(held.p, codes);
      result.converged = result.converged && held.converged;
      result.sheet.rows.push_back(
          {word_for(contender.view),
           contender.covariance.empty() ? "defaults, averaged" : contender.covariance,
           finite(m.error), finite(m.log_loss), finite(m.brier), finite(m.calibration_error),
           finite(m.auc)});
    }
  } catch (const Cancelled&) {
    messages.say("interrupted: cross-validation is not complete");
    result.converged = false;
  } catch (const OverLimit& limit) {
    messages.say(fmt::format("cross-validation is not complete: {}", limit.what()));
    result.converged = false;
  }
  return result;
}

Json rates_json(const Classifier& classifier) {
  Json rates = Json::array();
  for (const Question& question : classifier.questions) {
    rates.push_back({{"class", class_asked_about(classifier, question)},
                     {"rate", finite(question.rate)},
                     {"low", finite(question.rate_interval.low)},
                     {"high", finite(question.rate_interval.high)}});
  }
  return rates;
}

std::string text_of(const Classifier& classifier, const Sheet& folds, bool converged,
                    Format format) {
  const Sheet evidence = evidence_sheet(classifier);
  if (format == Format::csv) return as_csv(evidence);
  const std::string verdict = comparison_in_words(classifier);
  Json document{{"schema_version", schema_version}, {"converged", converged}, {"verdict", verdict}};
  document["columns"] = encoded_names(classifier.encoder);
  document["rates"] = rates_json(classifier);
  if (format == Format::jsonl) {
    return dumped(document) + '\n' + as_lines(as_objects(evidence)) + as_lines(as_objects(folds));
  }
  if (format == Format::json) {
    document["evidence"] = as_objects(evidence);
    document["cross_validation"] = as_objects(folds);
    return dumped(document, 2) + '\n';
  }
  return evidence_text(classifier) + (folds.rows.empty() ? "" : "\n" + as_text(folds)) + '\n' +
         wrapped("", printable(verdict), 0);
}

}  // namespace

void add_compare(CLI::App& app, Job& job) {
  auto o = std::make_shared<CompareCommand>();
  CLI::App* command = app.add_subcommand(
      "compare", "The models that audit tries on a table, and the evidence for each");
  add_reading_options(*command, o->reading);
  add_column_options(*command, o->columns);
  command->add_option("--folds", o->folds, "Cross-validate with so many folds, too (not in csv)")
      ->type_name("K")
      ->check(whole_number("--folds", 2, 100));
  add_output_options(*command, o->output, "table");
  add_model_options(*command, o->model);
  add_limit_options(*command, o->limits);
  add_verbosity(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_compare(*o, streams); }; });
}

ExitCode run_compare(const CompareCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const FitOptions options = fit_options(command);
  const Format format = format_of(command.output, Format::table);
  if (command.folds > 0 && format == Format::csv) {
    throw UsageError("csv has one table, and --folds makes a second: use --format json or jsonl");
  }
  check_destinations({{"-o", command.output.path}}, {command.reading.path});
  const Workload work = load_workload(command, messages);
  if (command.folds > 0) check_folds(work.prepared, command.folds);
  const TimeLimit clock(command.limits);
  Interruptible interruptible(messages.progress());
  const Classifier classifier =
      fit_within_limits(work, options, command.limits, messages, interruptible);
  say_what_cut_it_short(classifier, messages, interruptible);
  interruptible.keep_answer();
  CrossValidation folds;
  if (command.folds > 0 && classifier.interrupted)
    messages.say("cross-validation is left out");
  else if (command.folds > 0)
    folds = cross_validation(command, work, clock, messages, interruptible);
  const bool converged = classifier.converged() && folds.converged;
  deliver(text_of(classifier, folds.sheet, converged, format), command.output.path, streams);
  if (!command.output.path.empty()) messages.say(comparison_in_words(classifier));
  return ending_of(converged, messages);
}

}  // namespace candor::cli
