// SPDX-License-Identifier: MIT
#include <candor/linalg/threads.hpp>

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace candor {
namespace {

// True on threads that already run a body: a loop inside a loop adds no threads, it runs inline.
thread_local bool inside_a_body = false;

class BodyScope {
 public:
  BodyScope() : before_(inside_a_body) { inside_a_body = true; }
  ~BodyScope() { inside_a_body = before_; }
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;

 private:
  bool before_;
};

// Hands out 0 … count - 1, each once.  After an exception nothing more is handed out.
//
// wait() waits for the pieces, not for the threads: on a busy machine a thread may first run when
// all is done, and then must find this object but never the body.
class Loop {
 public:
  Loop(Index count, const std::function<void(Index)>& body) : count_(count), body_(body) {}

  void work() noexcept {
    const BodyScope scope;
    for (Index i = next_++; i < count_; i = next_++) {
      try {
        body_(i);
        finish(1);
      } catch (...) {
        stop(std::current_exception());
      }
    }
  }

  void wait() {
    std::unique_lock lock(mutex_);
    all_finished_.wait(lock, [this] { return finished_ == count_; });
    if (first_exception_) std::rethrow_exception(first_exception_);
  }

 private:
  void finish(Index pieces) {
    const std::lock_guard lock(mutex_);
    finished_ += pieces;
    if (finished_ == count_) all_finished_.notify_all();
  }

  void stop(std::exception_ptr exception) {
    {
      const std::lock_guard lock(mutex_);
      if (!first_exception_) first_exception_ = std::move(exception);
    }
    const Index never_begun = std::max<Index>(0, count_ - next_.exchange(count_));
    finish(never_begun + 1);
  }

  const Index count_;
  const std::function<void(Index)>& body_;
  std::atomic<Index> next_ = 0;
  std::mutex mutex_;
  std::condition_variable all_finished_;
  Index finished_ = 0;
  std::exception_ptr first_exception_;
};

}  // namespace

Threads Threads::all() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  // Fails on machines with more than CPU_SETSIZE cores; hardware_concurrency may be 0 ("unknown").
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return {std::max(1, CPU_COUNT(&mask))};
  return {std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
}

void parallel_for(Index count, Threads threads, const std::function<void(Index)>& body) {
  const Index workers = inside_a_body ? 1 : std::min<Index>(count, threads.count);
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  const auto loop = std::make_shared<Loop>(count, body);
  try {
    for (Index w = 1; w < workers; ++w) std::thread([loop] { loop->work(); }).detach();
  } catch (const std::system_error&) {
    // No more threads to be had: those there are do the work.
  }
  loop->work();
  loop->wait();
}

}  // namespace candor
