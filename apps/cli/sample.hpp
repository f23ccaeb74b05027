// SPDX-License-Identifier: MIT
// candor sample: functions drawn from the prior of a covariance.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/sheet.hpp>
#include <apps/cli/table_options.hpp>

#include <cstdint>
#include <string>

namespace candor::cli {

struct SampleCommand {
  ReadingOptions reading;  // no path: a grid
  ColumnOptions columns;
  OutputOptions output;
  Verbosity verbosity;
  std::string covariance = "squared_exponential";
  Index draws = 3;
  Index points = 101;
  double from = -3.0;
  double to = 3.0;
  std::uint64_t seed = 0;
};

void add_sample(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_sample(const SampleCommand& command, const Streams& streams);

}  // namespace candor::cli
