// SPDX-License-Identifier: MIT
// A heading in --help for the options that are added while this lives.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace candor::cli {

class OptionGroup {
 public:
  OptionGroup(CLI::App& command, const std::string& heading)
      : command_(command), before_(command.option_defaults()->get_group()) {
    command_.option_defaults()->group(heading);
  }
  ~OptionGroup() { command_.option_defaults()->group(before_); }
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

}  // namespace candor::cli
