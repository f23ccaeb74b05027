// SPDX-License-Identifier: MIT
// The ranked list as JSON: each row with its reasons, that is its nearest rows and the cells in
// which they differ from it.
#pragma once

#include "../report.hpp"
#include "limits.hpp"

#include <nlohmann/json_fwd.hpp>

namespace candor::cli {

// Rows above the threshold, at least input.shown of them.
[[nodiscard]] Index listed_rows(const ReportInput& input, const Limits& limits);

[[nodiscard]] nlohmann::json suspects_json(const ReportInput& input, const Limits& limits);

// Three decimals are what a page can show.
[[nodiscard]] double rounded(double value);

}  // namespace candor::cli
