// SPDX-License-Identifier: MIT
#include <apps/cli/apply.hpp>

#include <apps/cli/decisions.hpp>
#include <apps/cli/number_check.hpp>

#include <candor/data/replace_cells.hpp>
#include <candor/data/schema.hpp>
#include <candor/data/source.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>
#include <candor/model/sha256.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor audit data/new_thyroid.csv --label label --format json -o audit.json
  candor apply data/new_thyroid.csv --decisions audit.json --threshold 0.9 -o corrected.csv
  printf 'row,label\n12,Hyper\n' > decided.csv
  candor apply corrected.csv --decisions decided.csv --label label --in-place

A decisions file is CSV with the columns row (counted from 1) or id, and label; a column given is
checked against the table, and so is id beside row.  An empty label, or a word for missing such as
NA, leaves the row as it is.)";

Index label_column(const ApplyCommand& command, const Decisions& decisions, const Table& table) {
  if (command.label) return find_column(table, *command.label, "--label");
  if (!decisions.label_column) {
    throw UsageError(
        fmt::format("{} does not tell which column of {} holds the labels: add --label COLUMN "
                    "(an audit written with --format json tells)",
                    command.decisions, table.source()));
  }
  return find_column(table, *decisions.label_column, "the label column of " + command.decisions);
}

// The column of the ids: the option's, or the one the decisions were made with.
std::optional<Index> id_column(const ApplyCommand& command, const Decisions& decisions,
                               const Table& table) {
  if (command.id) return find_column(table, *command.id, "--id");
  if (!decisions.id_column) return std::nullopt;
  return find_column(table, *decisions.id_column, "the id column of " + command.decisions);
}

// TableError for an id that is not unique.
std::map<std::string, Index> rows_by_id(const Table& table, std::optional<Index> id) {
  if (!id) throw UsageError("the decisions name rows by id: say which column with --id");
  const Index column = *id;
  std::map<std::string, Index> rows;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string name = table.cell(row, column);
    const auto [first, is_new] = rows.emplace(name, row);
    if (!is_new) {
      throw TableError(fmt::format("{}: id {} is in lines {} and {}: it must be unique",
                                   table.source(), shown(name), table.line(first->second),
                                   table.line(row)));
    }
  }
  return rows;
}

Index row_of(const Decision& decision, const std::map<std::string, Index>& by_id,
             const Table& table) {
  if (!decision.row) {
    const auto found = by_id.find(*decision.id);
    if (found == by_id.end())
      throw TableError(fmt::format("{}: {} has no row with id {}", decision.place, table.source(),
                                   shown(*decision.id)));
    return found->second;
  }
  if (*decision.row >= table.rows()) {
    throw TableError(fmt::format("{} names row {}, and {} has {} rows", decision.place,
                                 *decision.row + 1, table.source(), table.rows()));
  }
  return *decision.row;
}

std::set<std::string> labels_of(const Table& table, Index column) {
  std::set<std::string> held;
  for (Index row = 0; row < table.rows(); ++row) held.insert(table.cell(row, column));
  return held;
}

// Of a decided label that no row has: more likely a slip than a new class.
[[noreturn]] void refuse_new(const Decision& decision, const std::string& label,
                             const std::set<std::string>& held, const Table& table, Index column) {
  const std::string nearest = nearest_name_of(label, {held.begin(), held.end()});
  throw InvalidInput(fmt::format(
      "{}: the label is to be {}, which no row of column {} has{}; --new-labels allows it",
      decision.place, shown(label), shown(table.name(column)),
      nearest.empty() ? "" : fmt::format(" (did you mean {}?)", shown(nearest))));
}

// TableError where the table is not the one the decision was made for.
void check_unchanged(const Decision& decision, const Table& table, Index row, Index column,
                     std::optional<Index> id) {
  const auto check = [&](const std::optional<std::string>& then, Index where, const char* has) {
    const std::string now = table.cell(row, where);
    if (!then || *then == now) return;
    throw TableError(fmt::format(
        "{}: row {} (line {}) of {} {} {}, but the decision was made for {}: audit it again",
        decision.place, row + 1, table.line(row), table.source(), has, shown(now), shown(*then)));
  };
  if (id) check(decision.id, *id, "has the id");
  check(decision.given, column, "is labelled");
}

// TableError where rows go by their number alone, and other rows may stand there by now.
void check_same_table(const Decisions& decisions, const Table& table, std::optional<Index> id) {
  if (id || !decisions.data_hash || *decisions.data_hash == sha256({table.text()})) return;
  throw TableError(
      fmt::format("{} is not as it was when it was audited, and its rows may be others: audit it "
                  "again, or with "
                  "--id COLUMN, so that rows are known by name",
                  table.source()));
}

// R writes NA where nothing is decided.  What a model suggests is a class, whatever its name.
void drop_undecided(Decisions& decisions, const Table& table, const Messages& messages) {
  decisions.undecided += std::ssize(decisions.list);
  std::erase_if(decisions.list, [&](const Decision& decision) {
    return !decision.by_model && table.missing_words().contains(decision.label);
  });
  decisions.undecided -= std::ssize(decisions.list);
  if (decisions.undecided > 0) {
    messages.note(counted(decisions.undecided, "decision") +
                  " without a label, or with a word for missing: no change there (--na-only makes "
                  "labels of such words)");
  }
}

std::vector<Replacement> replacements(const ApplyCommand& command, const Decisions& decisions,
                                      const Table& table, Index column, std::optional<Index> id,
                                      const Messages& messages) {
  const auto by_id_only = [](const Decision& decision) { return !decision.row; };
  const auto with_id = [](const Decision& decision) { return decision.id.has_value(); };
  const auto by_id = std::ranges::any_of(decisions.list, by_id_only)
                         ? rows_by_id(table, id)
                         : std::map<std::string, Index>{};
  if (!id && std::ranges::any_of(decisions.list, with_id))
    messages.note(
        "the ids of the decisions are not checked: say which column holds them with --id");
  const std::set<std::string> held = labels_of(table, column);
  std::vector<Replacement> changes;
  std::set<Index> decided;
  for (const Decision& decision : decisions.list) {
    const Index row = row_of(decision, by_id, table);
    if (!decided.insert(row).second) {
      throw InvalidInput(fmt::format("{}: row {} is decided twice", decision.place, row + 1));
    }
    check_unchanged(decision, table, row, column, id);
    const std::string now = table.cell(row, column);
    const std::string& label = now == decision.label && !decision.alternative.empty()
                                   ? decision.alternative
                                   : decision.label;
    if (!command.new_labels && !held.contains(label))
      refuse_new(decision, label, held, table, column);
    if (now != label) changes.push_back({row, column, label});
  }
  return changes;
}

// TableError for a label that the table does not declare: candor could not read it again.
void check_declared(const Table& table, const std::string& corrected) {
  if (table.dialect().format != TableFormat::arff) return;
  try {
    (void)read_arff(make_source(corrected, table.source()),
                    {.missing = {.words = table.missing_words().words(), .only_these = true}});
  } catch (const TableError& error) {
    throw TableError(fmt::format("the corrected table could not be read: {}", error.what()));
  }
}

std::string closing(std::size_t changed, const Decisions& decisions) {
  std::string text = changed == 0 ? "no label was changed"
                                  : counted(static_cast<Index>(changed), "label") + " changed";
  if (decisions.threshold) text += fmt::format(" (p_wrong above {})", *decisions.threshold);
  if (decisions.kept > 0) {
    text += fmt::format("; {} above it {} no other label to take", counted(decisions.kept, "row"),
                        decisions.kept == 1 ? "has" : "have");
  }
  return text;
}

std::string destination(const ApplyCommand& command) {
  if (command.reading.path == "-" && command.decisions == "-") {
    throw UsageError("table and decisions cannot both be standard input: name a file for one");
  }
  if (command.in_place && !command.output.empty()) {
    throw UsageError("--in-place and -o exclude each other");
  }
  if (command.in_place && command.reading.path == "-") {
    throw UsageError("--in-place needs a file, not standard input");
  }
  if (command.in_place && read_source(command.reading.path).compressed) {
    throw UsageError("--in-place does not write gzip: use -o");
  }
  check_destinations({{"-o", command.output}}, {command.reading.path, command.decisions},
                     "name another file, or say --in-place if the table is meant");
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
                   "Of an audit: change labels with p_wrong above this; default: as in the audit, "
                   "0.5 where it does not tell")
      ->type_name("P")
      ->check(number_from("--threshold", 0.0, 1.0));
  command->add_option("--label", o->label, "Column that holds the labels; default: as in the audit")
      ->type_name("COLUMN");
  command
      ->add_option("--id", o->id,
                   "Column that names the rows in the decisions; default: as in the audit")
      ->type_name("COLUMN");
  command->add_option("-o,--output", o->output, "Write there instead of standard output")
      ->type_name("FILE");
  command->add_flag("--in-place", o->in_place, "Replace the table itself");
  command->add_flag("--new-labels", o->new_labels, "Allow labels that no row of the table has yet");
  add_quiet(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback(
      [o, &job] { job.run = [o](const Streams& streams) { return run_apply(*o, streams); }; });
}

ExitCode run_apply(const ApplyCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const std::string path = destination(command);
  Decisions decisions = read_decisions(command.decisions, command.threshold);
  messages.notes(decisions.notes);
  const Table table = read(command.reading);
  messages.notes(table.notes());
  drop_undecided(decisions, table, messages);
  if (command.threshold && !decisions.threshold && !decisions.list.empty()) {
    messages.note("--threshold is for audits: the labels of " + command.decisions +
                  " are decided already");
  }
  if (command.label) (void)find_column(table, *command.label, "--label");
  if (command.id) (void)find_column(table, *command.id, "--id");
  const std::optional<Index> id = id_column(command, decisions, table);
  check_same_table(decisions, table, id);
  if (decisions.list.empty()) {
    deliver(table.text(), path, streams);
    messages.say(closing(0, decisions));
    return ExitCode::done;
  }
  const Index column = label_column(command, decisions, table);
  const std::vector<Replacement> changes =
      replacements(command, decisions, table, column, id, messages);
  const std::string corrected = replace_cells(table, changes);
  if (command.new_labels) check_declared(table, corrected);
  deliver(corrected, path, streams);
  messages.say(closing(changes.size(), decisions));
  return ExitCode::done;
}

}  // namespace candor::cli
