// SPDX-License-Identifier: MIT
#include <apps/cli/simulate.hpp>

#include <apps/cli/add_column.hpp>
#include <apps/cli/number_check.hpp>
#include <apps/cli/planting.hpp>
#include <apps/cli/sheet.hpp>

#include <candor/data/encoding.hpp>
#include <candor/data/label_column.hpp>
#include <candor/data/number.hpp>
#include <candor/data/observation_columns.hpp>
#include <candor/data/replace_cells.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor simulate data/new_thyroid.csv --label label --rate 0.05 --seed 1 -o noisy.csv
  candor simulate data/new_thyroid.csv --label label --kind boundary --rate 0.1 -o noisy.csv
  candor simulate data/new_thyroid.csv --label label --kind class --class-rate Hypo=0.2 -o my.csv)";

std::map<int, double> rates_by_class(const SimulateCommand& command, const LabelColumn& labels) {
  std::map<int, double> rates;
  for (const std::string& text : command.class_rates) {
    const auto equals = text.rfind('=');
    const std::string name = text.substr(0, equals);
    const auto rate = equals == std::string::npos
                          ? std::nullopt
                          : parse_number(std::string_view(text).substr(equals + 1));
    if (!rate || *rate < 0.0 || *rate > 1.0) {
      throw UsageError("--class-rate is '" + text +
                       "': it must be CLASS=RATE, the rate from 0 to 1");
    }
    const auto found = std::ranges::find(labels.classes, name);
    if (found == labels.classes.end()) {
      throw UsageError("--class-rate names '" + name +
                       "', which is not a class of the label column");
    }
    const bool first =
        rates.emplace(static_cast<int>(found - labels.classes.begin()), *rate).second;
    if (!first) throw UsageError("--class-rate names '" + name + "' twice");
  }
  if (rates.empty()) throw UsageError("--kind class needs --class-rate CLASS=RATE");
  return rates;
}

constexpr double usual_rate = 0.05;

std::vector<Planted> plant(const SimulateCommand& command, const Table& table, const Schema& schema,
                           const LabelColumn& labels) {
  const auto classes = static_cast<int>(labels.classes.size());
  const double rate = command.rate.value_or(usual_rate);
  if (command.kind == "class") {
    return plant_by_class(labels.codes, classes, rates_by_class(command, labels), command.seed);
  }
  if (command.kind == "boundary") {
    constexpr Index most = 50000;  // some minutes
    if (table.rows() > most) {
      throw OverLimit(
          fmt::format("--kind boundary compares every row with every other, which is too much for "
                      "{} rows: take "
                      "--kind uniform, or a table of up to {} rows",
                      table.rows(), most));
    }
    const Encoded inputs = encode(fit_encoder(table, schema), table);
    return plant_near_boundary(labels.codes, inputs.X, inputs.discrete, rate, command.seed);
  }
  return plant_uniform(labels.codes, classes, rate, command.seed);
}

// Labels that are declared certain stay as they are, like missing ones.
LabelColumn without_trusted(LabelColumn labels, const Table& table, const Schema& schema) {
  const auto column = schema.with_role(ColumnRole::trusted);
  if (!column) return labels;
  const std::vector<bool> trusted = read_trusted(table, *column);
  for (std::size_t row = 0; row < trusted.size(); ++row) {
    if (trusted[row]) labels.codes[row] = -1;
  }
  return labels;
}

// The new labels in place, then the old ones as a column.
std::string with_errors(const Table& table, Index label_column, const LabelColumn& labels,
                        const std::vector<Planted>& planted, const std::string& truth) {
  std::vector<std::string> old;
  for (Index row = 0; row < table.rows(); ++row) old.push_back(table.cell(row, label_column));
  std::vector<Replacement> replacements;
  replacements.reserve(planted.size());
  for (const Planted& p : planted) {
    replacements.push_back(
        {p.row, label_column, labels.classes[static_cast<std::size_t>(p.label)]});
  }
  ReadOptions options;
  options.format = table.dialect().format;
  options.delimiter = table.dialect().delimiter;
  options.header = table.dialect().header;
  Source changed = make_source(replace_cells(table, std::move(replacements)), table.source());
  return add_column(read_table(std::move(changed), options), truth, old);
}

// How to audit what was written without the truth giving every planted error away.
std::string audit_without_truth(const SimulateCommand& command, const Table& table) {
  std::string audit =
      fmt::format("candor audit {}{} --label {}",
                  command.output.empty() ? "FILE" : as_shell_word(command.output),
                  as_arguments(command.reading), as_shell_word(*command.columns.label));
  for (const auto& [option, column] :
       {std::pair{"--id", command.columns.id}, std::pair{"--trusted", command.columns.trusted},
        std::pair{"--weight", command.columns.weight}}) {
    if (column) audit += fmt::format(" {} {}", option, as_shell_word(*column));
  }
  const bool header = table.dialect().header;
  if (header && command.truth == truth_column) return audit;  // knows that name
  // A list of columns is split at commas.
  const bool by_name = header && printable(command.truth) == command.truth &&
                       command.truth.find(',') == std::string::npos;
  const std::string truth = by_name ? command.truth : std::to_string(table.columns() + 1);
  return fmt::format("{} --ignore {}", audit, as_shell_word(truth));
}

}  // namespace

void add_simulate(CLI::App& app, Job& job) {
  auto o = std::make_shared<SimulateCommand>();
  CLI::App* command = app.add_subcommand("simulate", "Plant wrong labels, and keep the truth");
  add_reading_options(*command, o->reading);
  add_column_options(*command, o->columns);
  command
      ->add_option("--kind", o->kind,
                   "uniform: any row; class: by --class-rate; boundary: rows near another class")
      ->type_name("KIND")
      ->check(CLI::IsMember(std::vector<std::string>{"uniform", "class", "boundary"}))
      ->capture_default_str();
  command
      ->add_option("--rate", o->rate,
                   fmt::format("Share of the labels to change; default: {}", usual_rate))
      ->type_name("RATE")
      ->check(number_from("--rate", 0.0, 1.0));
  command
      ->add_option("--class-rate", o->class_rates, "Share of one class to change; may be repeated")
      ->type_name("CLASS=RATE")
      ->allow_extra_args(false);
  command->add_option("--seed", o->seed, "The same seed plants the same errors")
      ->type_name("N")
      ->check(seed_number())
      ->capture_default_str();
  command->add_option("--truth", o->truth, "Name of the column that keeps the labels as they were")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("-o,--output", o->output, "Write there instead of standard output")
      ->type_name("FILE");
  add_quiet(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_simulate(*o, streams); }; });
}

ExitCode run_simulate(const SimulateCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  check_destinations({{"-o", command.output}}, {command.reading.path});
  if (command.truth.empty()) throw UsageError("--truth is empty: name the column for the truth");
  if (command.kind != "class" && !command.class_rates.empty()) {
    throw UsageError("--class-rate needs --kind class: " + command.kind + " goes by --rate");
  }
  if (command.kind == "class" && command.rate) {
    throw UsageError("--kind class goes by --class-rate: leave --rate out");
  }
  const Table table = read(command.reading);
  messages.notes(table.notes());
  require_label(command.columns, table);
  const Schema schema = infer_schema(table, schema_options(command.columns, table));
  const Index label_column = *schema.with_role(ColumnRole::label);
  const LabelColumn labels = without_trusted(read_labels(table, label_column), table, schema);
  const std::vector<Planted> planted = plant(command, table, schema, labels);
  deliver(with_errors(table, label_column, labels, planted, command.truth), command.output,
          streams);
  messages.say(fmt::format(
      "{} of {} labels changed; the labels as they were are in {}, not to be learned from: {}",
      planted.size(), std::ranges::count_if(labels.codes, [](int code) { return code >= 0; }),
      table.dialect().header ? "column " + command.truth : "the last column",
      audit_without_truth(command, table)));
  return ExitCode::done;
}

}  // namespace candor::cli
