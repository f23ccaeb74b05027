// SPDX-License-Identifier: MIT
// How commands end, and the one place where exceptions become exit codes.
#pragma once

#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace candor::cli {

enum class ExitCode {
  done = 0,
  failed = 1,
  usage = 2,
  bad_input = 3,
  not_converged = 4,    // results were written
  over_limit = 5,       // time or memory; nothing was written
  too_many_wrong = 10,  // --fail-on
  interrupted = 130,    // nothing was written
};

// For --help and the reference page.
struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};
[[nodiscard]] const std::vector<ExitMeaning>& exit_meanings();

// The command line is wrong in a way its parser cannot see.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// More time or memory than there is or than was allowed: what it takes, and what to do.
class OverLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// To be called from a catch block: one sentence on `err`, no more.
[[nodiscard]] ExitCode report_current_exception(std::ostream& err);

}  // namespace candor::cli
