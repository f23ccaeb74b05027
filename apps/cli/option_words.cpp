// SPDX-License-Identifier: MIT
#include <apps/cli/option_words.hpp>

namespace candor::cli {

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional() && !option->get_group().empty()) options.push_back(option);
  }
  return options;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string type_of(const CLI::Option& option) {
  // The parser appends its checks behind a colon.
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::string usage_of(const CLI::App& command) {
  std::string text = "candor " + command.get_name();
  for (const CLI::Option* option : command.get_options()) {
    if (option->nonpositional() && !option->get_required()) continue;
    const std::string lead = option->nonpositional() ? names_of(*option).back() + " " : "";
    const std::string name = lead + type_of(*option);
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + " [OPTIONS]";
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> words_of(const CLI::Option& option) {
  // The parser writes the choice of an IsMember behind the type: "FORMAT:{table,csv}".
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find(":{"), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 2, end - begin - 2), ',');
}

}  // namespace candor::cli
