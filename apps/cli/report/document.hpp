// SPDX-License-Identifier: MIT
// The data of the page as one JSON value; page/*.js draws it.
#pragma once

#include "../report.hpp"
#include "limits.hpp"
#include "map.hpp"

#include <nlohmann/json_fwd.hpp>

namespace candor::cli {

[[nodiscard]] nlohmann::json document_json(const ReportInput& input, const std::vector<View>& views,
                                           const std::vector<Regions>& regions,
                                           const Limits& limits);

}  // namespace candor::cli
