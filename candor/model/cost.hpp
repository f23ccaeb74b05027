// SPDX-License-Identifier: MIT
// What a fit will take, before any of it is done.
//
// Time is that of the factorisations, n³ each: how many there are is known from experience
// (cost.cpp), how long one takes from timing a small one on this machine.  Memory is exact to a few
// per cent: only n×n matrices count.
#pragma once

#include <candor/learning/ensemble.hpp>
#include <candor/learning/label_errors.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace candor {

struct Cost {
  double seconds = 0.0;
  double bytes = 0.0;
};

// What decides the cost of a fit.
struct FitSize {
  Index rows = 0;
  Index columns = 0;  // of X
  Index questions = 1;
  std::vector<Index> parameters = {};  // learned by each covariance
  std::vector<LabelErrors> errors = {};
  Average average = Average::models;
  double light_share = 0.0;  // of rows with a weight below 1
  bool variational = false;  // the engine: every row is integrated numerically
  Index joint_classes = 2;   // more: of a joint question
};

// Seconds of one sweep of EP (factor, inverse, marginals) divided by n³, measured on a few hundred
// rows: some 50 milliseconds.
[[nodiscard]] double seconds_per_cube(Threads threads);

// n×n matrices of the posterior of a process, of two classes or of a joint question.
[[nodiscard]] double squares_of_posterior(Index joint_classes);

[[nodiscard]] Cost cost_of(const FitSize& work, double seconds_per_cube);

// How many of its rows, in hundreds, stay within what is allowed.
[[nodiscard]] Index affordable_rows(FitSize work, double seconds_per_cube, const Cost& allowed);

// Physical memory that is free for use, or nothing where the system does not tell.  `root` is where
// proc and sys are.
[[nodiscard]] std::optional<double> available_bytes(const std::string& root = "/");

}  // namespace candor
