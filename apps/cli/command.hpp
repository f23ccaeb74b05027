// SPDX-License-Identifier: MIT
// What parsing a command line leaves behind: the work to be done, not yet begun.
#pragma once

#include <apps/cli/exit_code.hpp>
#include <apps/cli/streams.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

// UsageError for -, where the answer goes to standard output and this cannot.
void require_file(std::string_view option, const std::string& path);

struct Destination {
  std::string_view option;  // "-o", for the message
  std::string path;         // empty or "-": standard output
};

// Before anything is computed: UsageError for a destination that is an input or another destination
// (`advice` ends the sentence), InvalidInput for one that cannot be written.
void check_destinations(const std::vector<Destination>& destinations,
                        const std::vector<std::string>& inputs,
                        std::string_view advice = "name another file");

}  // namespace candor::cli
