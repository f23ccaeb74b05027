// SPDX-License-Identifier: MIT
// One line on a terminal that says what is being learned or sampled and how long it may still take.
#pragma once

#include <candor/inference/sampling_problem.hpp>
#include <candor/learning/learn.hpp>

#include <chrono>
#include <ostream>
#include <string>

namespace candor::cli {

class ProgressLine {
 public:
  // Silent unless `visible`.  `expected_seconds` is the estimate for all of it.
  ProgressLine(std::ostream& err, bool visible, double expected_seconds);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void show(const SamplingProgress& progress);
  void clear();
  [[nodiscard]] double seconds() const;  // since it began

 private:
  void draw(const std::string& what);

  using Clock = std::chrono::steady_clock;
  std::ostream& err_;
  bool visible_;
  bool drawn_ = false;
  double expected_seconds_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_drawn_{};
};

// "3 s", "4 min", "2 h": rounded, for people.
[[nodiscard]] std::string duration(double seconds);
// "850 kB", "1.2 GB".
[[nodiscard]] std::string size(double bytes);

}  // namespace candor::cli
