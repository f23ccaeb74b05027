// SPDX-License-Identifier: MIT
#include <apps/cli/help_format.hpp>

#include <apps/cli/option_words.hpp>

#include <utility>

namespace candor::cli {

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (is_flag(*option)) return "";
  const std::string& usual = option->get_default_str();
  return " " + type_of(*option) + (usual.empty() ? "" : " (" + usual + ")") +
         (option->get_required() ? " (required)" : "");
}

std::string HelpFormat::make_usage(const CLI::App* command, std::string name) const {
  const bool is_command = command->get_parent() != nullptr;
  return is_command ? "Usage: " + usage_of(*command) + '\n'
                    : CLI::Formatter::make_usage(command, std::move(name));
}

}  // namespace candor::cli
