// SPDX-License-Identifier: MIT
// How much of an audit the page shows.  Halved together until the page fits its byte limit.
#pragma once

#include <candor/linalg/types.hpp>

#include <algorithm>
#include <cstddef>

namespace candor::cli {

struct Limits {
  Index suspects = 500;        // rows in the ranked list
  Index compared = 200;        // of these, with the cells of the row and its neighbours
  Index columns = 40;          // of each comparison
  Index unlabelled = 500;      // rows without a label
  Index schema = 400;          // columns listed
  Index points = 3000;         // on the map
  std::size_t text = 160;      // characters of a cell or a name
  std::size_t formula = 4000;  // characters of a covariance

  [[nodiscard]] Limits halved() const {
    return {.suspects = std::max<Index>(suspects / 2, 20),
            .compared = compared / 2,
            .columns = std::max<Index>(columns / 2, 4),
            .unlabelled = unlabelled / 2,
            .schema = schema / 2,
            .points = std::max<Index>(points / 2, 200),
            .text = std::max<std::size_t>(text / 2, 16),
            .formula = std::max<std::size_t>(formula / 2, 40)};
  }
};

}  // namespace candor::cli
