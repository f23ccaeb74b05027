// SPDX-License-Identifier: MIT
// candor apply: the corrected table, every other byte as it was.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/messages.hpp>
#include <apps/cli/table_options.hpp>

#include <optional>
#include <string>

namespace candor::cli {

struct ApplyCommand {
  ReadingOptions reading;
  Verbosity verbosity;
  std::optional<std::string> label;  // default: what the audit says
  std::optional<std::string> id;
  std::string decisions;
  std::optional<double> threshold;  // default: the audit's
  std::string output;
  bool in_place = false;
  bool new_labels = false;  // a label that no row has yet may be decided
};

void add_apply(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_apply(const ApplyCommand& command, const Streams& streams);

}  // namespace candor::cli
