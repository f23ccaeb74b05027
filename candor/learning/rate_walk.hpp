// SPDX-License-Identifier: MIT
// Internal to rate_posterior: F = log evidence + log prior along a label-error rate, at steps of
// logit 2ε from its top on the ridge Mode::along, as far as there is mass that matters.
#pragma once

#include <candor/learning/mode.hpp>
#include <candor/linalg/types.hpp>

#include <functional>
#include <vector>

namespace candor {

struct RateNode {
  double u;           // logit 2ε
  double log_height;  // F - F̂
  Vector p_wrong;
  Sites sites;
};

struct RateWalk {
  // From such a rate up to ½ there are few steps.
  static constexpr double nearly_half = 0.49;

  std::vector<RateNode> nodes;  // ascending
  bool complete;                // false: inference failed where there was still mass
  int evaluations;
  int sweeps;
};

// Arguments are those of rate_posterior.
[[nodiscard]] RateWalk walk_rate(const Learned& learned, const Mode& mode, Index rate,
                                 const TrainingSet& data, const std::function<bool()>& keep_going);

}  // namespace candor
