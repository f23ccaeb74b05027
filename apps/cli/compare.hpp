// SPDX-License-Identifier: MIT
// candor compare: which view of the labels, with which covariance, do the data favour.
#pragma once

#include <apps/cli/command.hpp>
#include <apps/cli/fitting.hpp>
#include <apps/cli/sheet.hpp>

namespace candor::cli {

struct CompareCommand : LearningCommand {
  OutputOptions output;
  int folds = 0;  // 0: no cross-validation
};

void add_compare(CLI::App& app, Job& job);
[[nodiscard]] ExitCode run_compare(const CompareCommand& command, const Streams& streams);

}  // namespace candor::cli
