// SPDX-License-Identifier: MIT
#include <apps/cli/help_format.hpp>

#include <apps/cli/option_words.hpp>

namespace candor::cli {

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (is_flag(*option)) return "";
  const std::string& usual = option->get_default_str();
  return " " + type_of(*option) + (usual.empty() ? "" : " (" + usual + ")") +
         (option->get_required() ? " (required)" : "");
}

}  // namespace candor::cli
