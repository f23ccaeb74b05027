// SPDX-License-Identifier: MIT
// candor check: how far the approximation behind a model is from the truth on its own rows.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/fitting.hpp>
#include <apps/cli/sheet.hpp>

#include <candor/model/posterior_check.hpp>

#include <string>
#include <vector>

namespace candor::cli {

struct CheckCommand : LearningCommand {
  OutputOptions output;
  std::string models = "best";
  CheckOptions sampling{};
  std::vector<std::string> for_tables;  // options that were given and that a model has no use for
};

void add_check(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_check(const CheckCommand& command, const Streams& streams);

}  // namespace candor::cli
