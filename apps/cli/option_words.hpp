// SPDX-License-Identifier: MIT
// What completion scripts and the reference page read off the commands.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace candor::cli {

// Commands in their order, those of the machinery left out.
[[nodiscard]] std::vector<const CLI::App*> listed_commands(const CLI::App& app);
// Options with a name, in their order.
[[nodiscard]] std::vector<const CLI::Option*> named_options(const CLI::App& command);
[[nodiscard]] bool is_flag(const CLI::Option& option);
// What it takes, in one word: "FILE".
[[nodiscard]] std::string type_of(const CLI::Option& option);
// "candor apply TABLE --decisions FILE [OPTIONS]".
[[nodiscard]] std::string usage_of(const CLI::App& command);
// "--label", "-o".
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);
// The words an option takes where it takes only these.
[[nodiscard]] std::vector<std::string> words_of(const CLI::Option& option);

}  // namespace candor::cli
