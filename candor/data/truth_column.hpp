// SPDX-License-Identifier: MIT
// The column in which `candor simulate` keeps the right labels: learned from, it would give every
// planted error away.
#pragma once

#include <candor/data/schema.hpp>
#include <candor/data/table.hpp>

#include <string>
#include <string_view>

namespace candor {

inline constexpr std::string_view truth_column = "true_label";

// Has the options ignore that column unless they decide about it themselves; what to tell the user
// then, else nothing.
[[nodiscard]] std::string leave_out_truth(const Table& table, SchemaOptions& options);

}  // namespace candor
