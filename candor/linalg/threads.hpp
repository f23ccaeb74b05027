// SPDX-License-Identifier: MIT
// How many threads a computation may use, passed as an argument: there is no global setting.
//
// Work is handed out in pieces of fixed shape, so results do not depend on the number of threads,
// and threads that have nothing to do sleep instead of spinning, so a busy machine only shares its
// time.
#pragma once

#include <candor/linalg/types.hpp>

#include <functional>

namespace candor {

struct Threads {
  int count = 1;

  // Every core this process may run on (its affinity mask), at least one.
  static Threads all();
};

// Calls body(0) … body(count - 1), each once, in any order, on at most `threads` threads; returns
// when all are done.  The first exception a body throws is rethrown here.
void parallel_for(Index count, Threads threads, const std::function<void(Index)>& body);

}  // namespace candor
