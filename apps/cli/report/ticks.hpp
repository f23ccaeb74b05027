// SPDX-License-Identifier: MIT
// Ticks of an axis whose positions are encoded numbers and whose texts are the table's.
#pragma once

#include <candor/data/encoding.hpp>

#include <string>
#include <vector>

namespace candor::cli {

struct Tick {
  double at = 0.0;  // encoded
  std::string text;
};

// Between two encoded numbers; `encoder` is of a number column.
[[nodiscard]] std::vector<Tick> ticks_between(double low, double high,
                                              const ColumnEncoder& encoder);

}  // namespace candor::cli
