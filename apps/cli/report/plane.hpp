// SPDX-License-Identifier: MIT
// The views of the map: planes through the space of encoded inputs.
//
// A row x lies at ((x - origin)·u, (x - origin)·v), u and v orthonormal; a point (a, b) of the
// plane stands for the input origin + a u + b v.  Columns compared for equality take no part: the
// plane holds them at their commonest value.
#pragma once

#include "../report.hpp"
#include "ticks.hpp"

#include <candor/model/classifier.hpp>

#include <string>
#include <vector>

namespace candor::cli {

struct Axis {
  std::string label;
  std::vector<Tick> ticks;  // empty: plain numbers will do
  bool bare = false;        // no numbers at all
  double low = 0.0;         // of the picture, a margin included
  double high = 1.0;
};

struct View {
  std::string title;
  std::string caption;  // what the axes are, and where the plane cuts
  Axis x, y;
  Matrix points;        // n×2, one per training row
  Vector origin, u, v;  // empty: the view has no way back to inputs, hence no regions
};

// Principal components, and the two number columns that tell the classes apart best, or before them
// the two that were chosen; one view where these are the same.
[[nodiscard]] std::vector<View> views_of(const Classifier& classifier,
                                         const MapColumns& chosen = {});

}  // namespace candor::cli
