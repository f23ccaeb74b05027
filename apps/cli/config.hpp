// SPDX-License-Identifier: MIT
// Options from a file, TOML or JSON: long option names as keys, for all commands at the top and for
// one under its name.  What the command line says wins.
//
//   label = "diagnosis"            {"label": "diagnosis", "audit": {"top": "all"}}
//   [audit]
//   top = "all"
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace candor::cli {

void add_config(CLI::App& command);

// The arguments with those of the file that --config names put behind the command's name.
// InvalidInput for a file that cannot be read, a key that no command knows or a value that the
// option refuses.
[[nodiscard]] std::vector<std::string> with_config(const std::vector<std::string>& arguments,
                                                   CLI::App& app);

}  // namespace candor::cli
