// SPDX-License-Identifier: MIT
#include <apps/cli/apply.hpp>

#include <apps/cli/decisions.hpp>

#include <candor/data/replace_cells.hpp>
#include <candor/data/schema.hpp>
#include <candor/data/source.hpp>
#include <candor/data/table_error.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor audit patients.csv --label diagnosis --format json -o audit.json
  candor apply patients.csv --decisions audit.json --threshold 0.9 -o corrected.csv
  candor apply patients.csv --decisions decided.csv --label diagnosis --in-place

A decisions file is CSV with the columns row (counted from 1) or id, and label; a column given is
checked against the table.  An empty label leaves the row as it is.)";

Index label_column(const ApplyCommand& command, const Decisions& decisions, const Table& table) {
  if (command.label) return find_column(table, *command.label, "--label");
  if (!decisions.label_column) {
    throw UsageError("say which column holds the labels with --label: " + command.decisions +
                     " does not tell");
  }
  return find_column(table, *decisions.label_column, "the label column of " + command.decisions);
}

// TableError for an id that is not there or not unique.
std::map<std::string, Index> rows_by_id(const ApplyCommand& command, const Table& table) {
  if (!command.id) throw UsageError("the decisions name rows by id: say which column with --id");
  const Index column = find_column(table, *command.id, "--id");
  std::map<std::string, Index> rows;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string id = table.cell(row, column);
    const auto [first, is_new] = rows.emplace(id, row);
    if (!is_new) {
      throw TableError(fmt::format("{}: id {} is in lines {} and {}: it must be unique",
                                   table.source(), id, table.line(first->second), table.line(row)));
    }
  }
  return rows;
}

Index row_of(const Decision& decision, const std::map<std::string, Index>& by_id,
             const Table& table) {
  if (!decision.row) {
    const auto found = by_id.find(*decision.id);
    if (found == by_id.end())
      throw TableError(table.source() + " has no row with id " + *decision.id);
    return found->second;
  }
  if (*decision.row >= table.rows()) {
    throw TableError(fmt::format("{} has {} rows, and the decisions name row {}", table.source(),
                                 table.rows(), *decision.row + 1));
  }
  return *decision.row;
}

std::vector<Replacement> replacements(const ApplyCommand& command, const Decisions& decisions,
                                      const Table& table, Index column) {
  bool ids = false;
  for (const Decision& decision : decisions.list) ids = ids || !decision.row;
  const auto by_id = ids ? rows_by_id(command, table) : std::map<std::string, Index>{};
  std::vector<Replacement> changes;
  std::set<Index> decided;
  for (const Decision& decision : decisions.list) {
    const Index row = row_of(decision, by_id, table);
    if (!decided.insert(row).second) {
      throw InvalidInput(fmt::format("{}: row {} is decided twice", command.decisions, row + 1));
    }
    const std::string now = table.cell(row, column);
    if (decision.given && *decision.given != now) {
      throw TableError(fmt::format(
          "{}: row {} (line {}) is labelled {}, but the decisions were made for {}: audit it again",
          table.source(), row + 1, table.line(row), now, *decision.given));
    }
    if (now != decision.label) changes.push_back({row, column, decision.label});
  }
  return changes;
}

std::string destination(const ApplyCommand& command) {
  if (command.in_place && !command.output.empty()) {
    throw UsageError("--in-place and -o exclude each other");
  }
  if (command.in_place && command.reading.path == "-") {
    throw UsageError("--in-place needs a file, not standard input");
  }
  if (command.in_place && read_source(command.reading.path).compressed) {
    throw UsageError("--in-place does not write gzip: use -o");
  }
  std::error_code error;
  if (!command.in_place && !command.output.empty() &&
      std::filesystem::equivalent(command.output, command.reading.path, error)) {
    throw UsageError("-o is the table itself: say --in-place if that is meant");
  }
  return command.in_place ? command.reading.path : command.output;
}

}  // namespace

void add_apply(CLI::App& app, Job& job) {
  auto o = std::make_shared<ApplyCommand>();
  CLI::App* command = app.add_subcommand("apply", "Write the corrected table");
  add_reading_options(*command, o->reading);
  command->add_option("--decisions", o->decisions, "Output of candor audit, or a file of decisions")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--threshold", o->threshold,
                   "Of an audit: change labels with p_wrong above this")
      ->type_name("P")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--label", o->label, "Column that holds the labels; default: as in the audit")
      ->type_name("COLUMN");
  command->add_option("--id", o->id, "Column by which the decisions name rows")
      ->type_name("COLUMN");
  command->add_option("-o,--output", o->output, "Write there instead of standard output")
      ->type_name("FILE");
  command->add_flag("--in-place", o->in_place, "Replace the table itself");
  add_verbosity(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_apply(*o, streams); }; });
}

ExitCode run_apply(const ApplyCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const std::string path = destination(command);
  const Decisions decisions = read_decisions(command.decisions, command.threshold);
  const Table table = read(command.reading);
  if (decisions.list.empty()) {
    deliver(table.text(), path, streams);
    messages.say("no label was changed");
    return ExitCode::done;
  }
  const Index column = label_column(command, decisions, table);
  const std::vector<Replacement> changes = replacements(command, decisions, table, column);
  deliver(replace_cells(table, changes), path, streams);
  messages.say(fmt::format("{} label{} changed", changes.size(), changes.size() == 1 ? "" : "s"));
  return ExitCode::done;
}

}  // namespace candor::cli
