// SPDX-License-Identifier: MIT
#include <apps/cli/predict.hpp>

#include <apps/cli/fitting.hpp>
#include <apps/cli/model_options.hpp>

#include <candor/data/encoding.hpp>
#include <candor/model/model_file.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor fit data/new_thyroid.csv --label label -o thyroid.model
  candor predict thyroid.model data/new_thyroid.csv -o predictions.csv
  candor predict thyroid.model data/new_thyroid.csv --format jsonl | head -3

Columns: predicted class; p(CLASS), its probability before any labelling error; recorded(CLASS), the
probability that this label would be written down; mean and variance of the latent function.)";

Sheet prediction_sheet(const Classifier& classifier, const ClassProbabilities& p,
                       const Table& table, std::optional<Index> id) {
  Sheet sheet{{"row"}, {}};
  if (id) sheet.names.emplace_back("id");
  sheet.names.emplace_back("predicted");
  for (const std::string& name : classifier.classes) sheet.names.push_back("p(" + name + ")");
  for (const std::string& name : classifier.classes)
    sheet.names.push_back("recorded(" + name + ")");
  std::vector<std::string> latent =
      classifier.is_joint() ? classifier.classes : std::vector<std::string>{};
  for (const Question& question : classifier.questions) {
    if (question.is_joint()) break;
    latent.push_back(classifier.classes[static_cast<std::size_t>(question.positive_class)]);
  }
  for (const std::string& name : latent) {
    sheet.names.push_back("mean(" + name + ")");
    sheet.names.push_back("variance(" + name + ")");
  }
  for (Index i = 0; i < p.clean.rows(); ++i) {
    std::vector<Json> cells{i + 1};
    if (id) cells.emplace_back(table.cell(i, *id));
    Index best = 0;
    p.clean.row(i).maxCoeff(&best);
    cells.emplace_back(classifier.classes[static_cast<std::size_t>(best)]);
    for (const Matrix* matrix : {&p.clean, &p.observed}) {
      for (Index c = 0; c < matrix->cols(); ++c) cells.push_back(finite((*matrix)(i, c)));
    }
    for (Index q = 0; q < p.latent_mean.cols(); ++q) {
      cells.push_back(finite(p.latent_mean(i, q)));
      cells.push_back(finite(p.latent_variance(i, q)));
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

}  // namespace

void add_predict(CLI::App& app, Job& job) {
  auto o = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand("predict", "Class probabilities of new rows");
  command->add_option("model", o->model, "Model file, from fit or audit --save-model")
      ->type_name("MODEL")
      ->required();
  add_reading_options(*command, o->reading);
  command->add_option("--id", o->id, "Column that names the rows")->type_name("COLUMN");
  add_output_options(*command, o->output, "csv");
  add_threads(*command, o->threads);
  add_quiet(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_predict(*o, streams); }; });
}

ExitCode run_predict(const PredictCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  check_destinations({{"-o", command.output.path}}, {command.model, command.reading.path});
  const Classifier classifier = load(command.model);
  check_memory(classifier);
  note_missing_signal(classifier, messages);
  const Table table = read(command.reading);
  messages.notes(table.notes());
  std::optional<Index> id;
  if (command.id) id = find_column(table, *command.id, "--id");
  const Encoded inputs = encode(classifier.encoder, table);
  messages.notes(inputs.notes);
  const ClassProbabilities p = predict(classifier, inputs.X, threads_of(command.threads));
  const Json head{{"model", base_name(command.model)},
                  {"classes", classifier.classes},
                  {"converged", classifier.converged()}};
  deliver(written(prediction_sheet(classifier, p, table, id),
                  format_of(command.output, Format::csv), head),
          command.output.path, streams);
  return ending_of(classifier.converged(), messages);
}

}  // namespace candor::cli
