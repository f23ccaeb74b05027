// SPDX-License-Identifier: MIT
// candor reference: docs/cli.md, from the same description of the commands as --help.  Not listed.
#pragma once

#include <apps/cli/command.hpp>

#include <CLI/CLI.hpp>

#include <string>

namespace candor::cli {

void add_reference(CLI::App& app, Job& job);
[[nodiscard]] std::string reference_page(const CLI::App& app);

}  // namespace candor::cli
