// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

namespace candor {

// The most memory this process has held so far; it never falls.
inline double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace candor
