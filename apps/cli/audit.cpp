// SPDX-License-Identifier: MIT
#include <apps/cli/audit.hpp>

#include <apps/cli/audit_output.hpp>
#include <apps/cli/map_columns.hpp>
#include <apps/cli/number_check.hpp>
#include <apps/cli/progress.hpp>
#include <apps/cli/report.hpp>
#include <apps/cli/schema_text.hpp>

#include <candor/data/wording.hpp>
#include <candor/data/write.hpp>
#include <candor/model/model_file.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace candor::cli {
namespace {

constexpr Index usual_top = 20;
constexpr Index all_rows = std::numeric_limits<Index>::max();

constexpr std::string_view examples = R"(Examples:
  candor audit data/new_thyroid.csv --label label
  candor audit data/new_thyroid.csv --label label --ignore DTSH --report audit.html
  candor audit data/new_thyroid.csv --label label --format json -o audit.json
  candor audit data/new_thyroid.csv --label label --budget 20 --fail-on 10)";

Index top_from(const std::string& text) {
  if (text == "all") return all_rows;
  Index rows = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc() || rest != text.data() + text.size() || rows < 0) {
    throw UsageError("--top is '" + text + "': it must be a number of rows, or all");
  }
  return rows;
}

// Text: as many as can be reviewed, or the first 20 and whatever is above the threshold.  Data:
// everything.
Index rows_to_show(const AuditCommand& command, const Audit& audit, Format format) {
  if (!command.top.empty()) return top_from(command.top);
  if (format != Format::table) return all_rows;
  if (command.budget) return *command.budget;
  return std::max(usual_top, audit.above(command.threshold));
}

std::string written(const AuditView& view, Format format) {
  switch (format) {
    case Format::csv:
      return audit_csv(view);
    case Format::json:
      return audit_json(view);
    case Format::jsonl:
      return audit_jsonl(view);
    case Format::table:
      break;
  }
  return audit_text(view);
}

ExitCode dry_run(const AuditCommand& command, const Workload& work, const FitOptions& options,
                 const Streams& streams) {
  const Cost cost = estimate_cost(work.prepared, options);
  const Format format = format_of(command.output, Format::table);
  const Json head{{"table", base_name(command.reading.path)},
                  {"format", describe(work.table.dialect())},
                  {"rows_to_learn_from", work.prepared.rows.size()},
                  {"classes", work.prepared.labels.classes},
                  {"seconds", finite(cost.seconds)},
                  {"bytes", std::llround(std::min(cost.bytes, 9e18))}};
  std::string text = written(schema_sheet(work.schema), format, head);
  if (format == Format::table) {
    text = fmt::format(
        "{}: {}, {} rows, {} with a label in {} classes\n\n{}\nabout {} and {} of memory\n",
        printable(base_name(command.reading.path)), describe(work.table.dialect()),
        work.table.rows(), work.prepared.rows.size(), work.prepared.labels.classes.size(), text,
        duration(cost.seconds), size(cost.bytes));
  }
  deliver(text, command.output.path, streams);
  return ExitCode::done;
}

std::string report_of(const AuditCommand& command, const AuditView& view, const Workload& work,
                      const MapColumns& map, Threads threads) {
  ReportInput input{.table_name = base_name(command.reading.path),
                    .command_line = command.command_line,
                    .classifier = view.classifier,
                    .audit = view.audit,
                    .schema = work.schema,
                    .threshold = command.threshold,
                    .shown = std::min(static_cast<Index>(view.audit.rows.size()),
                                      std::max({Index{50}, view.audit.above(command.threshold),
                                                command.budget.value_or(0)})),
                    .id_name = view.id_column ? view.table.name(*view.id_column) : "",
                    .ids = {},
                    .cells = {},
                    .unlabelled = view.unlabelled,
                    .budget = command.budget.value_or(0),
                    .notes = work.prepared.notes,
                    .threads = threads,
                    .map_columns = map};
  add_cells(input, view.table, view.id_column);
  return html_report(input);
}

void check_files(const AuditCommand& command) {
  if (!command.map.empty() && command.report.empty()) {
    throw UsageError("--map is of the report: say where to write it with --report FILE.html");
  }
  require_file("--report", command.report);
  require_file("--save-model", command.save_model);
  std::vector<std::string> taken{command.reading.path};
  if (command.output.path.empty() || command.output.path == "-") taken.emplace_back("/dev/stdout");
  check_destinations({{"-o", command.output.path},
                      {"--save-model", command.save_model},
                      {"--report", command.report}},
                     taken);
}

// What is read by candor apply or another program should hold all that it would act on.
void note_what_is_left_out(const AuditView& view, Format format, const Messages& messages) {
  const Index suspects = view.audit.above(view.threshold);
  if (format != Format::table && view.shown < suspects) {
    messages.note(fmt::format("--top {} leaves out {} of the {} that look wrong", view.shown,
                              suspects - view.shown, counted(suspects, "label")));
  }
  if (format == Format::csv && !view.unlabelled.empty()) {
    messages.note(fmt::format("{} without a label: --format json has predictions, csv has not",
                              counted(std::ssize(view.unlabelled), "row")));
  }
}

bool too_many_look_wrong(const AuditCommand& command, const Audit& audit,
                         const Messages& messages) {
  const Index wrong = audit.above(command.threshold);
  if (!command.fail_on || wrong <= *command.fail_on) return false;
  messages.say(fmt::format("{} {} wrong, more than --fail-on {}", counted(wrong, "label"),
                           wrong == 1 ? "looks" : "look", *command.fail_on));
  return true;
}

void add_own_options(CLI::App& command, AuditCommand& o) {
  command
      .add_option("--top", o.top,
                  "Rows to write, or all; default in a table: --budget, or 20 and those above "
                  "the threshold; in other formats: all")
      ->type_name("N");
  command.add_option("--threshold", o.threshold, "A label looks wrong if p_wrong is above this")
      ->type_name("P")
      ->check(number_from("--threshold", 0.0, 1.0))
      ->capture_default_str();
  command.add_option("--budget", o.budget, "Rows you can review: says how many errors they hold")
      ->type_name("N")
      ->check(whole_number("--budget", 0, most_rows));
  command.add_option("--fail-on", o.fail_on, "Exit with 10 if more labels than this look wrong")
      ->type_name("N")
      ->check(whole_number("--fail-on", 0, most_rows));
  command.add_option("--report", o.report, "Write a report, one HTML file")->type_name("FILE.html");
  add_map_option(command, o.map);
  command.add_option("--save-model", o.save_model, "Keep the model for candor predict")
      ->type_name("FILE");
  command.add_flag("--dry-run", o.dry_run, "Show the columns and what it will cost, then stop");
}

// The answer first: it must not be lost to a report that cannot be made, nor to a disk that fills
// up with the rest.
void write_all(const AuditCommand& command, const AuditView& view, const Workload& work,
               const MapColumns& map, Threads threads, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const Format format = format_of(command.output, Format::table);
  deliver(written(view, format), command.output.path, streams);
  note_what_is_left_out(view, format, messages);
  if (!command.output.path.empty()) messages.say(view.audit.verdict);
  if (!command.save_model.empty()) write_atomically(command.save_model, to_bytes(view.classifier));
  if (!command.report.empty()) {
    write_atomically(command.report, report_of(command, view, work, map, threads));
  }
}

}  // namespace

void add_audit(CLI::App& app, Job& job) {
  auto o = std::make_shared<AuditCommand>();
  CLI::App* command = app.add_subcommand("audit", "Find the wrong labels of a table");
  add_reading_options(*command, o->reading);
  add_column_options(*command, o->columns);
  add_own_options(*command, *o);
  add_output_options(*command, o->output, "table");
  add_model_options(*command, o->model);
  add_limit_options(*command, o->limits);
  add_verbosity(*command, o->verbosity);
  command->footer(std::string(examples));
  command->callback([o, &job] {
    o->command_line = job.command_line;
    job.run = [o](const Streams& streams) { return run_audit(*o, streams); };
  });
}

ExitCode run_audit(const AuditCommand& command, const Streams& streams) {
  const Messages messages(streams, command.verbosity);
  const FitOptions options = fit_options(command);
  const Format format = format_of(command.output, Format::table);
  const Index top = command.top.empty() ? 0 : top_from(command.top);
  check_files(command);
  const Workload work = load_workload(command, messages);
  const auto map = map_columns(command.map, work.table, work.schema);
  if (command.dry_run) return dry_run(command, work, options, streams);

  Interruptible interruptible(messages.progress());
  const Classifier classifier =
      fit_within_limits(work, options, command.limits, messages, interruptible);
  say_what_cut_it_short(classifier, messages, interruptible);
  const Audit audit = candor::audit(
      classifier, {.threshold = command.threshold,
                   .reasons_for = std::max({Index{50}, command.budget.value_or(0), top}),
                   .threads = options.threads});
  std::vector<UnlabelledRow> unlabelled =
      predict_unlabelled(classifier, work.prepared, options.threads);
  const AuditView view{.audit = audit,
                       .classifier = classifier,
                       .table = work.table,
                       .id_column = work.schema.with_role(ColumnRole::id),
                       .shown = rows_to_show(command, audit, format),
                       .threshold = command.threshold,
                       .budget = command.budget,
                       .unlabelled = std::move(unlabelled),
                       .notes = work.prepared.notes,
                       .with_models = messages.verbose(),
                       .colour = streams.colour && command.output.path.empty()};
  // The first Ctrl-C waits from here on, until all that was asked for is written.
  interruptible.keep_answer();
  write_all(command, view, work, map, options.threads, streams);
  const ExitCode ending = ending_of(audit.converged, messages);
  return too_many_look_wrong(command, audit, messages) ? ExitCode::too_many_wrong : ending;
}

}  // namespace candor::cli
