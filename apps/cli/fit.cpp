// SPDX-License-Identifier: MIT
#include <apps/cli/fit.hpp>

#include <apps/cli/evidence_output.hpp>

#include <candor/model/model_file.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor fit data/new_thyroid.csv --label label -o thyroid.model
  candor predict thyroid.model data/new_thyroid.csv)";

}  // namespace

void add_fit(CLI::App& app, Job& job) {
  auto o = std::make_shared<FitCommand>();
  CLI::App* command = app.add_subcommand("fit", "Learn from a table, and keep the model in a file");
  add_reading_options(*command, o->reading);
  add_column_options(*command, o->columns);
  command->add_option("-o,--output", o->output, "The model file to write")
      ->type_name("FILE")
      ->required();
  add_model_options(*command, o->model);
  add_limit_options(*command, o->limits);
  add_verbosity(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_fit(*o, streams); }; });
}

ExitCode run_fit(const FitCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const FitOptions options = fit_options(command);
  require_file("-o", command.output);
  check_destinations({{"-o", command.output}}, {command.reading.path});
  const Workload work = load_workload(command, messages);
  Interruptible interruptible(messages.progress());
  const Classifier classifier =
      fit_within_limits(work, options, command.limits, messages, interruptible);
  say_what_cut_it_short(classifier, messages, interruptible);
  interruptible.keep_answer();
  save(classifier, command.output);
  messages.say(fmt::format("{}: learned from {} rows, {} classes", command.output,
                           classifier.X.rows(), classifier.classes.size()));
  messages.detail("models that were compared:\n" + evidence_text(classifier));
  return ending_of(classifier.converged(), messages);
}

}  // namespace candor::cli
