// SPDX-License-Identifier: MIT
// Where a command writes: data on one stream, everything said to a person on the other.
#pragma once

#include <ostream>

namespace candor::cli {

struct Streams {
  std::ostream& out;  // data
  std::ostream& err;  // messages, notes, progress
  bool err_is_terminal = false;
  bool colour = false;  // on out: a terminal, and NO_COLOR is not set
};

}  // namespace candor::cli
