// SPDX-License-Identifier: MIT
// The map as JSON: rows in a plane, and the class probabilities on a grid of it.
#pragma once

#include "../report.hpp"
#include "limits.hpp"
#include "plane.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace candor::cli {

// A colour per class: 0 … 6 for the seven commonest, in the order of the classes; 7 for the others.
inline constexpr int colours = 7;
[[nodiscard]] std::vector<int> class_colours(const Classifier& classifier);

// What costs time and does not depend on the limits.
struct Regions {
  Index columns = 0;
  Index rows = 0;
  std::vector<std::vector<int>>
      planes;  // per colour in use: probability in ten-thousandths, row by row
};
// One grid per view, empty where the view is of no plane; asks for all probabilities at once.
[[nodiscard]] std::vector<Regions> regions_of(const std::vector<View>& views,
                                              const Classifier& classifier,
                                              const ClassProbability& probability);

[[nodiscard]] nlohmann::json map_json(const ReportInput& input, const std::vector<View>& views,
                                      const std::vector<Regions>& regions, const Limits& limits);

}  // namespace candor::cli
