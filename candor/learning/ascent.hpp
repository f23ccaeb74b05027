// SPDX-License-Identifier: MIT
// Maximises a smooth function in a box by limited-memory BFGS [NW06, algorithms 7.4, 7.5], for
// functions that are expensive, come with their gradient, and may fail at some points.
//
// A failure is no number: the step is shortened, and no curvature is learned from it.  The best
// point seen is kept, always.  (docs/decisions/0005-learning.md says why this is not a package's.)
#pragma once

#include <candor/learning/theta.hpp>
#include <candor/linalg/types.hpp>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace candor {

struct Height {
  double value;
  Vector gradient;
};

// Empty where the function has no value.
using Landscape = std::function<std::optional<Height>(const Theta&)>;

// A step and the fall of the gradient along it: what a climb has learned of the curvature.
struct CurvaturePair {
  Vector step, fall;
};

struct Ascent {
  int max_evaluations = 200;  // of each climb
  int max_failures = 12;
  double tolerance = 1e-4;  // stops when the next step promises less than this
  double flat = 0.1;        // and no slope is steeper than this
  int memory = 10;
  double longest_step = 3.0;  // in any coordinate; these are logarithms
  double first_step = 0.7;
};

enum class AscentStatus {
  converged,
  stalled,  // no uphill step could be found, or the function failed too often
  out_of_evaluations,
  cancelled,
  no_start,  // the function failed at the first point
};
[[nodiscard]] std::string_view name_of(AscentStatus status);

struct Summit {
  AscentStatus status = AscentStatus::no_start;
  Theta theta;
  double value = 0.0;
  Vector gradient;
  int evaluations = 0;
  int failures = 0;                      // of them
  std::vector<CurvaturePair> curvature;  // the latest, oldest first
};

// `keep_going` is asked before every evaluation but the first.  `curvature` is what an earlier
// climb of a similar function has learned.
[[nodiscard]] Summit climb(const Landscape& landscape, const Theta& start, const ThetaBounds& box,
                           const Ascent& options = {}, const std::function<bool()>& keep_going = {},
                           const std::vector<CurvaturePair>& curvature = {});

}  // namespace candor
