// SPDX-License-Identifier: MIT
// Why a command line was not understood, in one sentence.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace candor::cli {

// The command whose options were being read when parsing stopped; the app where there was none.
[[nodiscard]] const CLI::App& chosen_command(const CLI::App& app);

[[nodiscard]] std::string parse_fault(const CLI::App& app, const CLI::ParseError& error);

}  // namespace candor::cli
