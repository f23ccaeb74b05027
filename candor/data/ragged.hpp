// SPDX-License-Identifier: MIT
// Internal: rows of unequal length, collected while reading and named in one message.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace candor {

class RowWidths {
 public:
  void add(std::size_t cells, std::size_t line);

  [[nodiscard]] bool empty() const { return by_width_.empty(); }
  // Of widths that are as common, `preferred`.
  [[nodiscard]] std::size_t most_common(std::size_t preferred = 0) const;

  // Throws TableError with the first five lines that do not have `expected` cells, and their count.
  void check(std::size_t expected, const std::string& name) const;

 private:
  struct Lines {
    std::size_t count = 0;
    std::vector<std::size_t> first;  // at most five
  };
  std::map<std::size_t, Lines> by_width_;
};

}  // namespace candor
