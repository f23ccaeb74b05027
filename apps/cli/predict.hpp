// SPDX-License-Identifier: MIT
// candor predict: class probabilities of new rows.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/sheet.hpp>
#include <apps/cli/table_options.hpp>

#include <optional>
#include <string>

namespace candor::cli {

struct PredictCommand {
  std::string model;
  ReadingOptions reading{.needs_label = false};
  OutputOptions output;
  Verbosity verbosity;
  std::optional<std::string> id;
  int threads = 0;
};

void add_predict(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_predict(const PredictCommand& command, const Streams& streams);

}  // namespace candor::cli
