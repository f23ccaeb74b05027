// SPDX-License-Identifier: MIT
#include <apps/cli/messages.hpp>

#include <apps/cli/option_group.hpp>
#include <apps/cli/sheet.hpp>

#include <CLI/CLI.hpp>

namespace candor::cli {

void add_quiet(CLI::App& command, Verbosity& verbosity) {
  const OptionGroup group(command, "Messages");
  command.add_flag("-q,--quiet", verbosity.quiet, "No notes, no progress: errors only");
}

void add_verbosity(CLI::App& command, Verbosity& verbosity) {
  add_quiet(command, verbosity);
  const OptionGroup group(command, "Messages");
  command.add_flag("-v,--verbose", verbosity.verbose, "Say more: columns, models, their evidence");
}

void Messages::note(std::string_view sentence) const {
  if (!verbosity_.quiet) streams_.err << "candor: note: " << printable(sentence) << '\n';
}

void Messages::notes(const std::vector<std::string>& sentences) const {
  for (const std::string& sentence : sentences) note(sentence);
}

void Messages::say(std::string_view sentence) const {
  if (!verbosity_.quiet) streams_.err << "candor: " << printable(sentence) << '\n';
}

void Messages::detail(std::string_view sentence) const {
  if (verbosity_.verbose && !verbosity_.quiet) streams_.err << "candor: " << sentence << '\n';
}

}  // namespace candor::cli
