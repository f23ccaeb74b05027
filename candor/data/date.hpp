// SPDX-License-Identifier: MIT
// Internal: does a cell hold a date or a time of day?  ISO (2024-01-31, 2024-01-31T10:00:00Z), US
// and European (1/31/2024, 31.01.24), month names (July 24, 2018; 24 Jul 2018), times (1:55:04).
#pragma once

#include <string_view>

namespace candor {

[[nodiscard]] bool is_date(std::string_view text);

}  // namespace candor
