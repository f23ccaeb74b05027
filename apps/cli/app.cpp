// SPDX-License-Identifier: MIT
#include <apps/cli/app.hpp>

#include <apps/cli/apply.hpp>
#include <apps/cli/audit.hpp>
#include <apps/cli/check.hpp>
#include <apps/cli/compare.hpp>
#include <apps/cli/completion.hpp>
#include <apps/cli/config.hpp>
#include <apps/cli/evaluate.hpp>
#include <apps/cli/fit.hpp>
#include <apps/cli/help_format.hpp>
#include <apps/cli/info.hpp>
#include <apps/cli/number_check.hpp>
#include <apps/cli/option_words.hpp>
#include <apps/cli/parse_fault.hpp>
#include <apps/cli/predict.hpp>
#include <apps/cli/reference.hpp>
#include <apps/cli/sample.hpp>
#include <apps/cli/sheet.hpp>
#include <apps/cli/simulate.hpp>

#include <candor/data/wording.hpp>
#include <candor/model/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace candor::cli {
namespace {

std::string exit_code_lines() {
  std::string text = "Exit codes:";
  for (const ExitMeaning& m : exit_meanings()) {
    text += fmt::format("\n  {:>3}  {}", static_cast<int>(m.code), m.meaning);
  }
  return text;
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "candor";
  for (const std::string& argument : arguments) line += ' ' + as_shell_word(argument);
  return line;
}

// Empty means that something was forgotten, such as a variable of the shell that is not set.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (is_flag(*option)) continue;
    const std::string name = option->nonpositional() ? names_of(*option).back() : type_of(*option);
    option->check(must_be(name, type_of(*option) + ", not empty",
                          [](const std::string& text) { return !text.empty(); }));
  }
}

// UsageError for "--output=", behind which the parser would take the next word for the value.
void check_values_are_there(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      throw UsageError(word + " is without a value: give it one, or leave it out");
    }
  }
}

ExitCode report_parse_error(const CLI::App& app, const CLI::ParseError& error,
                            const Streams& streams) {
  if (error.get_exit_code() == 0) {  // --help, --version
    const bool version = dynamic_cast<const CLI::CallForVersion*>(&error) != nullptr;
    deliver(version ? std::string(error.what()) + '\n' : app.help(), "", streams);
    return ExitCode::done;
  }
  const CLI::App& command = chosen_command(app);
  const std::string name = &command == &app ? "candor" : "candor " + command.get_name();
  streams.err << "candor: " << printable(parse_fault(app, error)) << "; see " << name
              << " --help\n";
  return ExitCode::usage;
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Job& job) {
  auto app = std::make_unique<CLI::App>(
      "Finds wrong labels in tables, and learns in spite of them.", "candor");
  app->set_version_flag("--version", "candor " + std::string(version()));
  app->require_subcommand(1);
  const auto format = std::make_shared<HelpFormat>();
  format->column_width(32);
  app->formatter(format);
  add_audit(*app, job);
  add_apply(*app, job);
  add_fit(*app, job);
  add_predict(*app, job);
  add_evaluate(*app, job);
  add_compare(*app, job);
  add_check(*app, job);
  add_simulate(*app, job);
  add_sample(*app, job);
  add_info(*app, job);
  add_completion(*app, job);
  add_reference(*app, job);
  for (CLI::App* command : app->get_subcommands({})) {
    add_config(*command);
    refuse_empty_values(*command);
  }
  app->footer("Example:\n  candor audit patients.csv --label diagnosis --report audit.html\n\n" +
              exit_code_lines());
  return app;
}

ExitCode run_candor(const std::vector<std::string>& arguments, const Streams& streams) {
  try {
    Job job;
    job.command_line = command_line(arguments);
    const std::unique_ptr<CLI::App> app = make_app(job);
    try {
      check_values_are_there(arguments);
      std::vector<std::string> all = with_config(arguments, *app);
      std::ranges::reverse(all);  // the parser takes them from the back
      app->parse(all);
    } catch (const CLI::ParseError& error) {
      return report_parse_error(*app, error, streams);
    }
    return job.run(streams);
  } catch (...) {
    return report_current_exception(streams.err);
  }
}

}  // namespace candor::cli
