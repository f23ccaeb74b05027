// SPDX-License-Identifier: MIT
#include <apps/cli/reference.hpp>

#include <apps/cli/option_words.hpp>

#include <fmt/format.h>

namespace candor::cli {
namespace {

constexpr std::string_view introduction = R"(# The command line

*Made from the same source as `--help` by `make docs`; edit the commands, not this page.*

    candor audit patients.csv --label diagnosis --format json -o audit.json
    candor apply patients.csv --decisions audit.json -o corrected.csv

Data go to standard output, everything said to a person to standard error: notes on what was guessed
or repaired, the estimate before long work, and, on a terminal, a progress line. `-q` silences all
but errors, `-v` says more; colours appear on a terminal only and never if `NO_COLOR` is set. Files
are written whole or not at all.

`--format` is `table` (for people), `csv`, `json` or `jsonl` (a line for the whole, then one per
row). JSON carries `schema_version`, 1; [schemas](schemas) describe it. Rows are data rows counted
from 1, lines those of the file. Numbers that do not exist are `null`.

`--config FILE` takes options from TOML or JSON by their long names: those at the top are for every
command that knows them, those in a section `[audit]` for that command, and preferred by it. The
command line wins.

Ctrl-C while learning: the best so far is written, marked as not converged (code 4). Before one model
has been learned for every class, or if it takes more than a second to find the best so far and judge
the rows by it, the program ends with code 130 and writes nothing. Ctrl-C while files are made and
written waits until all that were asked for are there, and in `compare --folds` until its evidence is.
A second Ctrl-C ends the program at once. `--max-time`
refuses work that surely takes longer (code 5) and stops learning when it is over: with the best so
far (code 4), or with nothing where no model was done by then (code 5).

)";

std::string exit_table() {
  std::string text = "## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitMeaning& m : exit_meanings()) {
    text += fmt::format("| {} | {} |\n", static_cast<int>(m.code), m.meaning);
  }
  return text;
}

// `|` would end a cell.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string option_line(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : names_of(option)) {
    names += (names.empty() ? "" : ", ") + ("`" + name + "`");
  }
  std::string help = option.get_description();
  if (!is_flag(option) && !option.get_default_str().empty()) {
    help += fmt::format(" (default `{}`)", option.get_default_str());
  }
  if (option.get_required()) help += " (required)";
  const std::string type = is_flag(option) ? "" : " " + type_of(option);
  return fmt::format("| {}{} | {} |\n", names, cell(type), cell(help));
}

std::string indented(const std::string& text) {
  std::string block;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    block += line.empty() ? "\n" : "    " + line + '\n';
    begin = end + 1;
  }
  return block;
}

std::string section(const CLI::App& command) {
  std::string text = fmt::format("\n## candor {}\n\n{}.\n\n{}", command.get_name(),
                                 command.get_description(), "    " + usage_of(command) + "\n\n");
  text += "| option | |\n|---|---|\n";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional()) {
      text += fmt::format("| `{}` | {} |\n", type_of(*option), cell(option->get_description()));
    }
  }
  for (const CLI::Option* option : named_options(command)) text += option_line(*option);
  if (!command.get_footer().empty()) text += '\n' + indented(command.get_footer());
  return text;
}

}  // namespace

std::string reference_page(const CLI::App& app) {
  std::string text(introduction);
  text += exit_table();
  for (const CLI::App* command : listed_commands(app)) text += section(*command);
  return text;
}

void add_reference(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand("reference", "Print the reference page, docs/cli.md");
  command->group("");
  command->callback([&app, &job] {
    job.run = [&app](const Streams& streams) {
      deliver(reference_page(app), "", streams);
      return ExitCode::done;
    };
  });
}

}  // namespace candor::cli
