// SPDX-License-Identifier: MIT
// candor info: what a model file holds, or what this program runs on.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/sheet.hpp>

#include <string>

namespace candor::cli {

struct InfoCommand {
  std::string model;  // empty: the program
  OutputOptions output;
};

void add_info(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_info(const InfoCommand& command, const Streams& streams);

}  // namespace candor::cli
