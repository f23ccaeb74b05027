// SPDX-License-Identifier: MIT
// What parsing a command line leaves behind: the work to be done, not yet begun.
#pragma once

#include <apps/cli/exit_code.hpp>
#include <apps/cli/streams.hpp>

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace candor::cli {

struct Job {
  std::function<ExitCode(const Streams&)> run;
  std::string command_line;  // as it was typed, ready to be copied
};

// Text to a file as a whole, or to standard output where `path` is empty.
void deliver(const std::string& text, const std::string& path, const Streams& streams);

}  // namespace candor::cli
