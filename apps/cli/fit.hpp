// SPDX-License-Identifier: MIT
// candor fit: a model file from a table.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/fitting.hpp>

#include <string>

namespace candor::cli {

struct FitCommand : LearningCommand {
  std::string output;
};

void add_fit(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_fit(const FitCommand& command, const Streams& streams);

}  // namespace candor::cli
