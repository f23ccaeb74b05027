// SPDX-License-Identifier: MIT
// candor simulate: a table with wrong labels put in, and the truth in a column of its own.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/table_options.hpp>

#include <candor/data/truth_column.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace candor::cli {

struct SimulateCommand {
  ReadingOptions reading;
  ColumnOptions columns;
  Verbosity verbosity;
  std::string kind = "uniform";
  std::optional<double> rate;
  std::vector<std::string> class_rates;  // "Normal=0.1"
  std::uint64_t seed = 0;
  std::string truth{truth_column};
  std::string output;
};

void add_simulate(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_simulate(const SimulateCommand& command, const Streams& streams);

}  // namespace candor::cli
