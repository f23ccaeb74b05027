// SPDX-License-Identifier: MIT
#include <apps/cli/app.hpp>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

int main(int count, char** values) {
  // A file that grows beyond what is allowed is then an error of writing, with its sentence.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  const std::vector<std::string> arguments(values + 1, values + count);
  const char* const no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  const candor::cli::Streams streams{.out = std::cout,
                                     .err = std::cerr,
                                     .err_is_terminal = ::isatty(STDERR_FILENO) != 0,
                                     .colour = ::isatty(STDOUT_FILENO) != 0 && !plain};
  return static_cast<int>(candor::cli::run_candor(arguments, streams));
}
