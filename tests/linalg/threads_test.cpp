// SPDX-License-Identifier: MIT
#include <candor/linalg/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace candor {
namespace {

TEST(Threads, AllIsAtLeastOne) { EXPECT_GE(Threads::all().count, 1); }

TEST(ParallelFor, CallsEveryIndexOnce) {
  for (const int threads : {1, 2, 5, 64})
    for (const Index count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      parallel_for(count, {threads}, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const auto& c : calls) EXPECT_EQ(c, 1) << threads << " threads, count " << count;
    }
}

TEST(ParallelFor, TreatsFewerThanOneThreadAsOne) {
  int calls = 0;
  parallel_for(3, {0}, [&](Index) { ++calls; });
  parallel_for(3, {-4}, [&](Index) { ++calls; });
  EXPECT_EQ(calls, 6);
}

TEST(ParallelFor, RunsInlineWithOneThreadOrOnePiece) {
  const auto here = std::this_thread::get_id();
  parallel_for(3, {1}, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), here); });
  parallel_for(1, {8}, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

TEST(ParallelFor, UsesAtMostTheThreadsGranted) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(200, {3}, [&](Index) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 3U);
}

TEST(ParallelFor, RunsInlineInsideABody) {
  std::atomic<int> calls = 0;
  parallel_for(4, {2}, [&](Index) {
    const auto here = std::this_thread::get_id();
    parallel_for(5, {2}, [&](Index) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ++calls;
    });
  });
  EXPECT_EQ(calls, 20);
}

TEST(ParallelFor, RethrowsAndHandsOutNothingMore) {
  for (const int threads : {1, 4}) {
    std::atomic<int> calls = 0;
    const auto body = [&](Index i) {
      ++calls;
      if (i == 0) throw std::runtime_error("broken");
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    };
    EXPECT_THROW(parallel_for(100000, {threads}, body), std::runtime_error);
    EXPECT_LT(calls, 100000);
  }
}

TEST(ParallelFor, WorksAgainAfterAnException) {
  EXPECT_THROW(parallel_for(9, {3}, [](Index) { throw std::logic_error("broken"); }),
               std::logic_error);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  // Each of three pieces waits until all three have begun: only three threads can finish this.
  std::atomic<int> begun = 0;
  parallel_for(3, {3}, [&](Index) {
    {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    ++begun;
    while (begun < 3) std::this_thread::yield();
  });
  EXPECT_EQ(seen.size(), 3U);
}

}  // namespace
}  // namespace candor
