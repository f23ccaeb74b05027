// SPDX-License-Identifier: MIT
// The two columns a person wants to see the report's map drawn over.
#pragma once

#include <apps/cli/report.hpp>

#include <candor/data/table.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace candor::cli {

void add_map_option(CLI::App& command, std::vector<std::string>& columns);

// UsageError unless there are two or none; InvalidInput for a column that is not there, named
// twice, or not learned from as a number: only those have a scale to draw along.
[[nodiscard]] MapColumns map_columns(const std::vector<std::string>& columns, const Table& table,
                                     const Schema& schema);

}  // namespace candor::cli
