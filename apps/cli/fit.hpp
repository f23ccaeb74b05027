// SPDX-License-Identifier: MIT
// candor fit: a model file from a table.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/model_options.hpp>
#include <apps/cli/table_options.hpp>

#include <string>

namespace candor::cli {

struct FitCommand {
  ReadingOptions reading;
  ColumnOptions columns;
  ModelOptions model;
  LimitOptions limits;
  Verbosity verbosity;
  std::string output;
};

void add_fit(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_fit(const FitCommand& command, const Streams& streams);

}  // namespace candor::cli
