// SPDX-License-Identifier: MIT
// What is said to the person at the terminal, and how much of it.
#pragma once

#include <apps/cli/streams.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace candor::cli {

struct Verbosity {
  bool quiet = false;    // errors only
  bool verbose = false;  // more than most people want
};
void add_quiet(CLI::App& command, Verbosity& verbosity);
// -v too: for commands that learn.
void add_verbosity(CLI::App& command, Verbosity& verbosity);

class Messages {
 public:
  Messages(const Streams& streams, const Verbosity& verbosity)
      : streams_(streams), verbosity_(verbosity) {}

  // Control characters are spelled out, but not in details, which may be several lines.
  void note(std::string_view sentence) const;  // "candor: note: …", unless quiet
  void notes(const std::vector<std::string>& sentences) const;
  void say(std::string_view sentence) const;     // "candor: …", unless quiet
  void detail(std::string_view sentence) const;  // only if verbose
  [[nodiscard]] bool verbose() const { return verbosity_.verbose; }
  [[nodiscard]] bool progress() const { return streams_.err_is_terminal && !verbosity_.quiet; }
  [[nodiscard]] std::ostream& err() const { return streams_.err; }

 private:
  const Streams& streams_;
  Verbosity verbosity_;
};

}  // namespace candor::cli
