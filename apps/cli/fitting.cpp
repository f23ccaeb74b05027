// SPDX-License-Identifier: MIT
#include <apps/cli/fitting.hpp>

#include <apps/cli/exit_code.hpp>
#include <apps/cli/progress.hpp>
#include <apps/cli/sampling.hpp>
#include <apps/cli/schema_text.hpp>

#include <candor/audit/audit.hpp>
#include <candor/data/truth_column.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace candor::cli {
namespace {

constexpr double worth_a_word = 2.0;      // seconds
constexpr double estimate_is_true = 3.0;  // a refusal by time needs the estimate to be off by less
constexpr double patience = 3600.0;       // seconds a sample may take that we propose

std::string advice(Index rows) {
  return rows >= 100 ? fmt::format("; learn from a sample with --sample {}", rows)
                     : "; learn from a sample with --sample";
}

SchemaOptions without_truth(const ColumnOptions& columns, const Table& table,
                            const Messages& messages) {
  SchemaOptions options = schema_options(columns, table);
  const std::string note = leave_out_truth(table, options);
  if (!note.empty()) messages.note(note);
  return options;
}

// Where each class is a question of its own, its two rates say little of who is taken for whom.
void note_rates_by_class(const FitOptions& options, const Prepared& prepared,
                         const Messages& messages) {
  const std::size_t classes = prepared.labels.classes.size();
  const bool asked =
      std::ranges::find(options.errors, LabelErrors::by_class) != options.errors.end();
  if (classes < 3 || !asked || is_joint(prepared, options)) return;
  messages.note(
      fmt::format("--errors class: of {} classes, rates by class shape what is learned, but "
                  "p_wrong goes by one rate for all",
                  classes));
}

// Which model more than two classes get, where that was left to us, and why.
void note_multiclass(const Prepared& prepared, const FitOptions& options,
                     const Messages& messages) {
  const std::size_t classes = prepared.labels.classes.size();
  if (classes < 3 || options.multiclass != Multiclass::automatic) return;
  if (is_joint(prepared, options)) {
    messages.note(
        fmt::format("{} classes: one model of all of them (--multiclass joint)", classes));
    return;
  }
  messages.note(fmt::format("{} classes: a question for each (--multiclass one-vs-rest), since {}",
                            classes, why_not_automatically(prepared, options)));
}

std::optional<double> memory_allowed(const LimitOptions& limits) {
  return limits.max_memory.empty() ? available_bytes() : bytes_from(limits.max_memory);
}

Cost cost_within_limits(const Workload& work, const FitOptions& options, const LimitOptions& limits,
                        const Messages& messages) {
  const FitSize whole = fit_size(work.prepared, options);
  const double unit = seconds_per_cube(options.threads);
  const Cost cost = cost_of(whole, unit);
  const std::string takes =
      fmt::format("{} rows take about {} and {} of memory", work.prepared.rows.size(),
                  duration(cost.seconds), size(cost.bytes));
  const double time = limits.max_time > 0.0 ? limits.max_time : patience;
  const double memory = memory_allowed(limits).value_or(cost.bytes);
  const std::string exceeded = limit_exceeded(cost, limits);
  if (!exceeded.empty()) {
    throw OverLimit(fmt::format("{}, and {}{}", takes, exceeded,
                                advice(affordable_rows(whole, unit, {time, memory}))));
  }
  if (cost.seconds > worth_a_word) messages.say(takes);
  return cost;
}

}  // namespace

std::string limit_exceeded(const Cost& cost, const LimitOptions& limits) {
  const std::optional<double> memory = memory_allowed(limits);
  if (memory && cost.bytes > *memory) {
    return fmt::format("{} are {}", size(*memory), limits.max_memory.empty() ? "free" : "allowed");
  }
  if (limits.max_time > 0.0 && cost.seconds > estimate_is_true * limits.max_time) {
    return "--max-time leaves " + duration(limits.max_time);
  }
  return "";
}

FitOptions fit_options(const LearningCommand& command) {
  FitOptions options = fit_options(command.model);
  Json shaped = as_json(command.model);
  const auto add = [&](const char* name, const auto& value, bool given) {
    if (given) shaped[name] = value;
  };
  const ColumnOptions& columns = command.columns;
  add("label", columns.label.value_or(""), columns.label.has_value());
  add("id", columns.id.value_or(""), columns.id.has_value());
  add("trusted", columns.trusted.value_or(""), columns.trusted.has_value());
  add("weight", columns.weight.value_or(""), columns.weight.has_value());
  add("ignore", columns.ignore, !columns.ignore.empty());
  add("categorical", columns.categorical, !columns.categorical.empty());
  add("use", columns.use, !columns.use.empty());
  add("reading", as_arguments(command.reading), !as_arguments(command.reading).empty());
  add("sample", command.limits.sample, command.limits.sample > 0);
  options.options_json = dumped(shaped);
  return options;
}

Workload load_workload(const LearningCommand& command, const Messages& messages) {
  Table table = read(command.reading);
  require_label(command.columns, table);
  Schema schema = infer_schema(table, without_truth(command.columns, table, messages));
  Prepared prepared = prepare(table, schema);
  const std::size_t labelled = prepared.rows.size();
  keep_sample(prepared, command.limits.sample);
  if (prepared.rows.size() < labelled) {
    prepared.notes.push_back(
        fmt::format("learning from {} of {} rows; the others are not looked at",
                    prepared.rows.size(), labelled));
  }
  messages.note(
      fmt::format("read as {}, {}", describe(table.dialect()), counted(table.rows(), "row")));
  messages.notes(prepared.notes);
  note_multiclass(prepared, fit_options(command.model), messages);
  note_rates_by_class(fit_options(command.model), prepared, messages);
  if (command.model.inference == "variational") {
    messages.note(
        "evidence by variational inference is a lower bound, and so is what the models are "
        "compared by");
  }
  messages.detail("columns of the table:\n" + as_text(schema_sheet(schema)));
  return {std::move(table), std::move(schema), std::move(prepared)};
}

Classifier fit_within_limits(const Workload& work, const FitOptions& options,
                             const LimitOptions& limits, const Messages& messages,
                             const Interruptible& interruptible) {
  const Cost cost = cost_within_limits(work, options, limits, messages);
  ProgressLine line(messages.err(), messages.progress(), cost.seconds);
  bool out_of_time = false;
  FitOptions watched = options;
  watched.watcher = [&](const Progress& progress) {
    line.show(progress);
    out_of_time = limits.max_time > 0.0 && line.seconds() > limits.max_time;
    return !interruptible.requested() && !out_of_time;
  };
  try {
    Classifier classifier = fit(work.table, work.schema, work.prepared, watched);
    line.clear();
    return classifier;
  } catch (const Cancelled&) {
    line.clear();
    if (!out_of_time) throw;
    throw OverLimit(
        fmt::format("nothing was learned within --max-time {}; learn from a sample "
                    "with --sample",
                    duration(limits.max_time)));
  }
}

void say_what_cut_it_short(const Classifier& classifier, const Messages& messages,
                           const Interruptible& interruptible) {
  if (!classifier.interrupted) return;
  messages.say(fmt::format("{}: these are the best numbers so far",
                           interruptible.requested() ? "interrupted" : "out of time"));
}

void note_missing_signal(const Classifier& classifier, const Messages& messages) {
  if (signal_of(classifier) >= least_signal) return;
  messages.note(
      "the columns told next to nothing of the label in training: do not rely on these "
      "probabilities");
}

void check_memory(Index rows, double matrices) {
  const double bytes = matrices * 8.0 * static_cast<double>(rows) * static_cast<double>(rows);
  const std::optional<double> free = available_bytes();
  if (!free || bytes <= *free) return;
  throw OverLimit(
      fmt::format("{} rows take {} of memory, and {} are free", rows, size(bytes), size(*free)));
}

void check_memory(const Classifier& classifier) {
  const auto classes = static_cast<Index>(classifier.classes.size());
  check_memory(classifier.X.rows(), squares_of_posterior(classifier.is_joint() ? classes : 2));
}

ExitCode ending_of(bool converged, const Messages& messages) {
  if (converged) return ExitCode::done;
  messages.say("learning did not converge or was stopped; results were written (exit code 4)");
  return ExitCode::not_converged;
}

}  // namespace candor::cli
