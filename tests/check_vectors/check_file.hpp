// SPDX-License-Identifier: MIT
// Runs one reference vector: finds its kind, splits it into cases, checks each.
#pragma once

#include "report.hpp"

#include <filesystem>

namespace check_vectors {

// Throws Malformed when the file does not follow the schema (tests/oracle/README.md).
void check_file(const std::filesystem::path& file, Counts& counts);

}  // namespace check_vectors
