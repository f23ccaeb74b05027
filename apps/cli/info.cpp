// SPDX-License-Identifier: MIT
#include <apps/cli/info.hpp>

#include <apps/cli/bounded_json.hpp>
#include <apps/cli/evidence_output.hpp>

#include <candor/linalg/blas.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/model/fit.hpp>
#include <candor/model/model_file.hpp>
#include <candor/model/version.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor info
  candor fit data/new_thyroid.csv --label label -o thyroid.model
  candor info thyroid.model --format json)";

Json program_json() {
  const auto bytes = available_bytes();
  return {{"version", version()},
          {"blas", blas::description()},
          {"threads", Threads::all().count},
          {"free_memory_bytes", bytes ? Json(static_cast<std::int64_t>(*bytes)) : Json(nullptr)}};
}

Json options_json(const std::string& text) {
  const Json options = parse_bounded(text, "the options of the model");
  return options.is_discarded() ? Json(text) : options;
}

Json model_json(const Classifier& c) {
  std::vector<std::string> inputs;
  for (const ColumnEncoder& column : c.encoder.columns) inputs.push_back(column.name);
  Json questions = Json::array();
  for (const Question& q : c.questions) {
    questions.push_back({{"class", class_asked_about(c, q)},
                         {"processes", q.processes.size()},
                         {"rate", finite(q.rate)},
                         {"rate_low", finite(q.rate_interval.low)},
                         {"rate_high", finite(q.rate_interval.high)},
                         {"margin_nats", finite(q.margin)}});
  }
  return {{"version", c.provenance.version},
          {"source", c.provenance.source},
          {"data_hash", c.provenance.data_hash},
          {"label", c.label_name},
          {"classes", c.classes},
          {"inputs", inputs},
          {"rows", c.X.rows()},
          {"encoded_columns", c.X.cols()},
          {"converged", c.converged()},
          {"options", options_json(c.provenance.options)},
          {"seed", c.provenance.seed},
          {"questions", std::move(questions)},
          {"evidence", as_objects(evidence_sheet(c))}};
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array() && !value.empty() && value.front().is_string()) {
    return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ", "));
  }
  if (value.is_object()) {
    std::string list;
    for (const auto& [key, part] : value.items()) {
      if (part.empty()) continue;
      list += fmt::format("{}{} {}", list.empty() ? "" : "; ", key, value_text(part));
    }
    return list;
  }
  return dumped(value);
}

// What evidence_text does not say.
Json questions_for_people(const Json& questions) {
  Json shorter = questions;
  for (Json& question : shorter) {
    for (const char* key : {"rate", "rate_low", "rate_high"}) question.erase(key);
    if (question["class"].is_null()) question.erase("class");
  }
  return shorter;
}

// Small values as a list; the tables have their own.
std::string as_list(const Json& document) {
  std::size_t longest = 0;
  for (const auto& [key, value] : document.items()) longest = std::max(longest, key.size());
  std::string text;
  for (const auto& [key, value] : document.items()) {
    if (key == "questions" || key == "evidence" || key == "schema_version") continue;
    text +=
        wrapped(fmt::format("  {:<{}}  ", key, longest), printable(value_text(value)), longest + 4);
  }
  return text;
}

Sheet as_sheet(const Json& objects) {
  Sheet sheet;
  for (const auto& [key, value] : objects.front().items()) sheet.names.push_back(key);
  for (const Json& object : objects) {
    std::vector<Json> cells;
    for (const auto& [key, value] : object.items()) cells.push_back(value);
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

std::string written(const Json& document, const std::optional<Classifier>& classifier,
                    Format format) {
  if (format == Format::json) return dumped(document, 2) + '\n';
  if (format == Format::jsonl) return dumped(document) + '\n';
  std::string text = as_list(document);
  if (classifier) {
    text += '\n' + as_text(as_sheet(questions_for_people(document["questions"]))) + '\n' +
            evidence_text(*classifier);
  }
  return text;
}

}  // namespace

void add_info(CLI::App& app, Job& job) {
  auto o = std::make_shared<InfoCommand>();
  CLI::App* command =
      app.add_subcommand("info", "What a model holds; without one: version, BLAS, threads");
  command->add_option("model", o->model, "Model file")->type_name("MODEL");
  add_output_options(*command, o->output, "table", {"table", "json", "jsonl"});
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_info(*o, streams); }; });
}

ExitCode run_info(const InfoCommand& command, const Streams& streams) {
  const Format format = format_of(command.output, Format::table);
  check_destinations({{"-o", command.output.path}}, {command.model});
  std::optional<Classifier> classifier;
  if (!command.model.empty()) classifier = load(command.model);
  Json document{{"schema_version", schema_version}};
  document.update(classifier ? model_json(*classifier) : program_json());
  deliver(written(document, classifier, format), command.output.path, streams);
  return ExitCode::done;
}

}  // namespace candor::cli
