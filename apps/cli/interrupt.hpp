// SPDX-License-Identifier: MIT
// Ctrl-C while a command computes.  The first asks learning to stop with the best it has; if that
// takes longer than the grace time the program ends with code 130, before anything is written.  A
// second Ctrl-C ends it at once.
#pragma once

#include <csignal>

namespace candor::cli {

// One at a time.  Outside its life Ctrl-C does what it always does, and where it is ignored, as
// under nohup, it stays so.
class Interruptible {
 public:
  // `clear_line` takes a progress line off the terminal before the last words.
  explicit Interruptible(bool clear_line);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  // There is something to write by now, or it is being written: the first Ctrl-C waits for it,
  // however long that takes.
  void keep_answer();
  [[nodiscard]] bool requested() const;

 private:
  bool installed_ = false;
  struct sigaction old_interrupt_ {};
  struct sigaction old_alarm_ {};
};

}  // namespace candor::cli
