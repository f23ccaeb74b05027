// SPDX-License-Identifier: MIT
// The columns of a table as a person wants to see them before anything is learned.
#pragma once

#include <apps/cli/sheet.hpp>

#include <candor/data/schema.hpp>

namespace candor::cli {

[[nodiscard]] Sheet schema_sheet(const Schema& schema);

}  // namespace candor::cli
