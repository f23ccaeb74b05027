// SPDX-License-Identifier: MIT
#include <apps/cli/app.hpp>

#include <unistd.h>

#include <cstdlib>
#include <iostream>

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const char* const no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  const candor::cli::Streams streams{.out = std::cout,
                                     .err = std::cerr,
                                     .err_is_terminal = ::isatty(STDERR_FILENO) != 0,
                                     .colour = ::isatty(STDOUT_FILENO) != 0 && !plain};
  return static_cast<int>(candor::cli::run_candor(arguments, streams));
}
