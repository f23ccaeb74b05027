// SPDX-License-Identifier: MIT
// Labels of many classes, as a case gives them.
#pragma once

#include "problem.hpp"

#include <vector>

namespace check_vectors {

struct ClassLabels {
  std::vector<int> y;  // 0 … classes-1, one per row of X
  int classes = 0;
};

[[nodiscard]] ClassLabels read_class_labels(const Problem& problem);

}  // namespace check_vectors
