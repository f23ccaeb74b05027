// SPDX-License-Identifier: MIT
// Internal to EP: when to give up.
#pragma once

#include <limits>

namespace candor {

// Gives up on an iteration that wanders: no better residual for this many sweeps.
class Patience {
 public:
  bool is_over(double residual, int sweeps) {
    if (residual < 0.9 * best_) {
      best_ = residual;
      last_progress_ = sweeps;
    }
    return sweeps - last_progress_ > 40;
  }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  int last_progress_ = 0;
};

}  // namespace candor
