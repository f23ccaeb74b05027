// SPDX-License-Identifier: MIT
// --max-time, counted once for all that a command does.
#pragma once

#include <apps/cli/exit_code.hpp>
#include <apps/cli/model_options.hpp>

#include <chrono>
#include <utility>

namespace candor::cli {

class TimeLimit {
 public:
  // Counts from here.
  explicit TimeLimit(LimitOptions limits) : limits_(std::move(limits)) {}

  [[nodiscard]] bool is_over() const {
    return limits_.max_time > 0.0 && seconds() > limits_.max_time;
  }

  // With the time that remains; OverLimit where none does.
  [[nodiscard]] LimitOptions what_is_left() const {
    LimitOptions left = limits_;
    if (left.max_time == 0.0) return left;
    left.max_time -= seconds();
    if (left.max_time <= 0.0) throw OverLimit("--max-time is over");
    return left;
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  LimitOptions limits_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace candor::cli
