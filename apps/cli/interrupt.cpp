// SPDX-License-Identifier: MIT
#include <apps/cli/interrupt.hpp>

#include <apps/cli/exit_code.hpp>

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace candor::cli {
namespace {

constexpr long grace_microseconds = 900'000;  // an answer within a second

// A signal handler has no argument: these are the only way to tell it anything.
volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t line_to_clear = 0;
volatile std::sig_atomic_t answer_to_keep = 0;

void say(std::string_view words) { (void)!::write(STDERR_FILENO, words.data(), words.size()); }

extern "C" void on_interrupt(int /*signal*/) {
  interrupted = 1;
  if (answer_to_keep != 0) return;
  const itimerval grace{{0, 0}, {0, grace_microseconds}};
  (void)::setitimer(ITIMER_REAL, &grace, nullptr);
}

extern "C" void on_grace_over(int /*signal*/) {
  if (line_to_clear != 0) say("\r\x1b[K");
  say("candor: interrupted; nothing was written\n");
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

struct sigaction set_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action {
  }, old{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  (void)::sigaction(signal, &action, &old);
  return old;
}

void stop_timer() {
  const itimerval never{};
  (void)::setitimer(ITIMER_REAL, &never, nullptr);
}

}  // namespace

Interruptible::Interruptible(bool clear_line) {
  interrupted = 0;
  line_to_clear = clear_line ? 1 : 0;
  answer_to_keep = 0;
  (void)::sigaction(SIGINT, nullptr, &old_interrupt_);
  if (old_interrupt_.sa_handler == SIG_IGN) return;
  installed_ = true;
  old_alarm_ = set_handler(SIGALRM, on_grace_over, 0);
  (void)set_handler(SIGINT, on_interrupt, static_cast<int>(SA_RESETHAND) | SA_RESTART);  // once
}

Interruptible::~Interruptible() {
  if (!installed_) return;
  (void)::sigaction(SIGINT, &old_interrupt_, nullptr);
  stop_timer();
  (void)::sigaction(SIGALRM, &old_alarm_, nullptr);
}

void Interruptible::keep_answer() {
  answer_to_keep = 1;
  if (installed_) stop_timer();
}

bool Interruptible::requested() const { return interrupted != 0; }

}  // namespace candor::cli
