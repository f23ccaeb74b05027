// SPDX-License-Identifier: MIT
// candor completion: scripts for shells, made from the same description of the commands as --help.
#pragma once

#include <apps/cli/command.hpp>

#include <CLI/CLI.hpp>

#include <string>

namespace candor::cli {

void add_completion(CLI::App& app, Job& job);

[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);
[[nodiscard]] std::string fish_completion(const CLI::App& app);

}  // namespace candor::cli
