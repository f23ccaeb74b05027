// SPDX-License-Identifier: MIT
// candor audit: which labels of a table are wrong.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/fitting.hpp>
#include <apps/cli/sheet.hpp>

#include <candor/audit/audit.hpp>

#include <optional>
#include <string>
#include <vector>

namespace candor::cli {

struct AuditCommand : LearningCommand {
  OutputOptions output;
  std::string top;  // a number, "all", or nothing: as many as the format usually has
  double threshold = 0.5;
  std::optional<Index> budget;
  std::optional<Index> fail_on;
  std::string report;
  std::vector<std::string> map;  // two columns for the report's, or none
  std::string save_model;
  bool dry_run = false;
  std::string command_line;  // for the report
};

void add_audit(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_audit(const AuditCommand& command, const Streams& streams);

}  // namespace candor::cli
