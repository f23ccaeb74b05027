// SPDX-License-Identifier: MIT
// Internal: what many classes share, or have one each of.
#pragma once

#include <candor/linalg/errors.hpp>
#include <candor/linalg/types.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace candor {

// The only one, or that of the class.
template <class T>
[[nodiscard]] const T& of_class(const std::vector<T>& all, Index c) {
  return all[all.size() == 1 ? 0 : static_cast<std::size_t>(c)];
}

// InvalidInput for any other number of covariances, and fewer than two classes.
template <class T>
void check_one_or_per_class(const std::vector<T>& covariances, Index classes) {
  if (classes < 2) {
    throw InvalidInput("classes is " + std::to_string(classes) + ": it must be at least 2");
  }
  const auto count = static_cast<Index>(covariances.size());
  if (count == 1 || count == classes) return;
  throw InvalidInput("covariances has size " + std::to_string(count) +
                     ": it must be 1, or the number of classes, which is " +
                     std::to_string(classes));
}

}  // namespace candor
