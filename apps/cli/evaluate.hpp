// SPDX-License-Identifier: MIT
// candor evaluate: how well a model predicts a table whose labels are known.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/sheet.hpp>
#include <apps/cli/table_options.hpp>

#include <optional>
#include <string>

namespace candor::cli {

struct EvaluateCommand {
  std::string model;
  ReadingOptions reading;
  OutputOptions output;
  Verbosity verbosity;
  std::optional<std::string> label;  // default: the model's
  std::string against = "clean";
  int threads = 0;
};

void add_evaluate(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_evaluate(const EvaluateCommand& command, const Streams& streams);

}  // namespace candor::cli
