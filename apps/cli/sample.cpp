// SPDX-License-Identifier: MIT
#include <apps/cli/sample.hpp>

#include <apps/cli/fitting.hpp>
#include <apps/cli/model_options.hpp>
#include <apps/cli/number_check.hpp>

#include <candor/covariance/prior.hpp>
#include <candor/covariance/text.hpp>
#include <candor/data/encoding.hpp>
#include <candor/data/truth_column.hpp>
#include <candor/model/candidate_covariances.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor sample --covariance 'matern(smoothness=1.5, lengthscale=0.5)' --draws 5 -o draws.csv
  candor sample data/new_thyroid.csv --label label --covariance 'squared_exponential + linear')";

// The grid, or the inputs of the table as a model sees them.
Encoded inputs(const SampleCommand& command, const Messages& messages) {
  if (command.reading.path.empty()) {
    Encoded grid;
    grid.X = Vector::LinSpaced(command.points, command.from, command.to);
    return grid;
  }
  const Table table = read(command.reading);
  messages.notes(table.notes());
  SchemaOptions options = schema_options(command.columns, table);
  // The label is only left out: nobody asks whether its numbers are classes.
  if (options.label) options.categorical.push_back(*options.label);
  const std::string truth = leave_out_truth(table, options);
  if (!truth.empty()) messages.note(truth);
  const Schema schema = infer_schema(table, options);
  return encode(fit_encoder(table, schema), table);
}

}  // namespace

void add_sample(CLI::App& app, Job& job) {
  auto o = std::make_shared<SampleCommand>();
  CLI::App* command = app.add_subcommand("sample", "Draw functions from the prior of a covariance");
  add_reading_options(*command, o->reading, false);
  add_column_options(*command, o->columns);
  command->get_option("--label")->description(
      "Column that holds the labels, left out of the draws");
  command->add_option("--covariance", o->covariance, "The covariance, as text")
      ->type_name("TEXT")
      ->check(covariance_text())
      ->capture_default_str();
  command->add_option("--draws", o->draws, "Functions to draw")
      ->type_name("N")
      ->check(whole_number("--draws", 1, 10000))
      ->capture_default_str();
  command->add_option("--n", o->points, "Without a table: points of the grid")
      ->type_name("N")
      ->check(whole_number("--n", 1, 20000))
      ->capture_default_str();
  command->add_option("--from", o->from, "Without a table: where the grid begins")
      ->type_name("X")
      ->check(finite_number("--from"))
      ->capture_default_str();
  command->add_option("--to", o->to, "Without a table: where the grid ends")
      ->type_name("X")
      ->check(finite_number("--to"))
      ->capture_default_str();
  command->add_option("--seed", o->seed, "The same seed gives the same draws")
      ->type_name("N")
      ->check(seed_number())
      ->capture_default_str();
  add_output_options(*command, o->output, "csv");
  add_quiet(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_sample(*o, streams); }; });
}

ExitCode run_sample(const SampleCommand& command, const Streams& streams) {
  const Covariance parsed = covariance_from(command.covariance);
  check_destinations({{"-o", command.output.path}}, {command.reading.path});
  if (!std::isfinite(command.to - command.from)) {
    throw UsageError("--from and --to are too far apart for the numbers between them");
  }
  const Messages messages(streams, command.verbosity);
  const Encoded encoded = inputs(command, messages);
  const Matrix& X = encoded.X;
  const Covariance covariance = with_discrete_columns(parsed, encoded.discrete);
  const bool grid = command.reading.path.empty();
  check_memory(X.rows(), 2.0);
  const PriorDraws draws = draw_from_prior(covariance, X, command.draws, command.seed);
  if (draws.jitter > 0.0) {
    messages.note(
        fmt::format("the covariance is singular but for rounding: {:.2g} was added to its "
                    "diagonal",
                    draws.jitter));
  }
  Sheet sheet{{grid ? "x" : "row"}, {}};
  for (Index j = 0; j < command.draws; ++j) sheet.names.push_back(fmt::format("draw_{}", j + 1));
  for (Index i = 0; i < X.rows(); ++i) {
    std::vector<Json> cells{grid ? Json(X(i, 0)) : Json(i + 1)};
    for (Index j = 0; j < command.draws; ++j) cells.emplace_back(draws.values(i, j));
    sheet.rows.push_back(std::move(cells));
  }
  const Json head{{"covariance", to_text(covariance)}, {"seed", command.seed}};
  deliver(written(sheet, format_of(command.output, Format::csv), head), command.output.path,
          streams);
  return ExitCode::done;
}

}  // namespace candor::cli
