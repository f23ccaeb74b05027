// SPDX-License-Identifier: MIT
#include <apps/cli/evaluate.hpp>

#include <apps/cli/fitting.hpp>
#include <apps/cli/metrics.hpp>
#include <apps/cli/model_options.hpp>

#include <candor/data/label_column.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>
#include <candor/model/model_file.hpp>
#include <candor/model/sha256.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor fit data/new_thyroid.csv --label label -o thyroid.model
  candor evaluate thyroid.model data/new_thyroid.csv
  candor evaluate thyroid.model data/new_thyroid.csv --against recorded --format json)";

Sheet confusion_sheet(const Metrics& m, const std::vector<std::string>& classes) {
  Sheet sheet{{"label"}, {}};
  for (const std::string& name : classes) sheet.names.push_back("predicted " + name);
  for (Index i = 0; i < m.confusion.rows(); ++i) {
    std::vector<Json> cells{classes[static_cast<std::size_t>(i)]};
    for (Index j = 0; j < m.confusion.cols(); ++j) cells.emplace_back(m.confusion(i, j));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

Sheet metric_sheet(const Metrics& m) {
  return {{"metric", "value"},
          {{"rows", m.rows},
           {"error", finite(m.error)},
           {"log_loss", finite(m.log_loss)},
           {"brier", finite(m.brier)},
           {"calibration_error", finite(m.calibration_error)},
           {"auc", finite(m.auc)}}};
}

Json metric_json(const Metrics& m, const Classifier& classifier) {
  Json counts = Json::array(), bins = Json::array();
  for (Index i = 0; i < m.confusion.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < m.confusion.cols(); ++j) row.push_back(m.confusion(i, j));
    counts.push_back(std::move(row));
  }
  for (const CalibrationBin& bin : m.bins) {
    if (bin.rows == 0) continue;
    bins.push_back({{"low", bin.low},
                    {"high", bin.high},
                    {"rows", bin.rows},
                    {"confidence", bin.confidence},
                    {"accuracy", bin.accuracy}});
  }
  Json document{{"schema_version", schema_version}, {"converged", classifier.converged()}};
  for (const auto& row : metric_sheet(m).rows) document[row[0].get<std::string>()] = row[1];
  document["confusion"] = {{"classes", classifier.classes}, {"counts", std::move(counts)}};
  document["calibration"] = std::move(bins);
  return document;
}

std::string written(const Metrics& m, const Classifier& classifier, Format format) {
  if (format == Format::json) return dumped(metric_json(m, classifier), 2) + '\n';
  if (format == Format::jsonl) return dumped(metric_json(m, classifier)) + '\n';
  if (format == Format::csv) return as_csv(metric_sheet(m));
  return as_text(metric_sheet(m)) + '\n' + as_text(confusion_sheet(m, classifier.classes));
}

// Rows of p and labels where there is a label.
std::pair<Matrix, std::vector<int>> labelled(const Matrix& p, const LabelColumn& labels) {
  std::vector<int> kept;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < labels.codes.size(); ++i) {
    if (labels.codes[i] < 0) continue;
    kept.push_back(labels.codes[i]);
    rows.push_back(static_cast<Index>(i));
  }
  return {p(rows, Eigen::all), kept};
}

}  // namespace

void add_evaluate(CLI::App& app, Job& job) {
  auto o = std::make_shared<EvaluateCommand>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Measure a model on a table with known labels");
  command->add_option("model", o->model, "Model file, from fit or audit --save-model")
      ->type_name("MODEL")
      ->required();
  add_reading_options(*command, o->reading);
  command->add_option("--label", o->label, "Column that holds the labels; default: as in training")
      ->type_name("COLUMN");
  command
      ->add_option("--against", o->against,
                   "clean: the labels are right; recorded: they err as those of training did")
      ->type_name("KIND")
      ->check(CLI::IsMember(std::vector<std::string>{"clean", "recorded"}))
      ->capture_default_str();
  add_output_options(*command, o->output, "table");
  add_threads(*command, o->threads);
  add_quiet(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_evaluate(*o, streams); }; });
}

ExitCode run_evaluate(const EvaluateCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  check_destinations({{"-o", command.output.path}}, {command.model, command.reading.path});
  const Classifier classifier = load(command.model);
  check_memory(classifier);
  note_missing_signal(classifier, messages);
  const Table table = read(command.reading);
  messages.notes(table.notes());
  if (!command.label && !table.find(classifier.label_name)) {
    throw TableError(fmt::format(
        "{} has no column {}, which held the labels in training: name theirs with --label, or ask "
        "candor predict, which needs none",
        table.source(), shown(classifier.label_name)));
  }
  const Index column = find_column(table, command.label.value_or(classifier.label_name), "--label");
  const LabelColumn labels = read_labels(table, column, classifier.classes,
                                         MissingWords(classifier.encoder.missing_words));
  const Encoded inputs = encode(classifier.encoder, table);
  messages.notes(inputs.notes);
  const ClassProbabilities all = predict(classifier, inputs.X, threads_of(command.threads));
  const auto [p, codes] = labelled(command.against == "clean" ? all.clean : all.observed, labels);
  if (codes.empty()) {
    throw TableError(
        fmt::format("{}: column {} holds no label: fill some in, or name the column that holds "
                    "them with --label",
                    table.source(), shown(table.name(column))));
  }
  if (labels.missing > 0) {
    messages.note(fmt::format("{} without a label {} left out", counted(labels.missing, "row"),
                              labels.missing == 1 ? "is" : "are"));
  }
  if (sha256({table.text()}) == classifier.provenance.data_hash) {
    messages.note("this is the table the model was learned from: expect more errors in new rows");
  }
  const Metrics metrics = measure(p, codes);
  deliver(written(metrics, classifier, format_of(command.output, Format::table)),
          command.output.path, streams);
  return ending_of(classifier.converged(), messages);
}

}  // namespace candor::cli
