// SPDX-License-Identifier: MIT
// The program as a function: arguments and streams in, exit code out.
#pragma once

#include <apps/cli/command.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace candor::cli {

// All commands; parsing fills `job`, which must outlive the result.
[[nodiscard]] std::unique_ptr<CLI::App> make_app(Job& job);

// `arguments` without the program's name.  Never throws.
[[nodiscard]] ExitCode run_candor(const std::vector<std::string>& arguments,
                                  const Streams& streams);

}  // namespace candor::cli
