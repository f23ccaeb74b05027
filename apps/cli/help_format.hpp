// SPDX-License-Identifier: MIT
// How --help writes an option: its name, what it takes, its default; no internals of the parser.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace candor::cli {

class HelpFormat : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override;
  [[nodiscard]] std::string make_usage(const CLI::App* command, std::string name) const override;
};

}  // namespace candor::cli
