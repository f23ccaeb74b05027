// SPDX-License-Identifier: MIT
// Internal: from the look of a column's cells to its kind.
#pragma once

#include <candor/data/column_profile.hpp>
#include <candor/data/schema.hpp>

#include <string>

namespace candor {

// What the user has asked for.
struct KindWishes {
  bool categorical = false;
  bool use = false;
};

// Sets kind and note.  Returns what must be refused (an input column of numbers with a few odd
// cells), or nothing.
[[nodiscard]] std::string decide_kind(const Table& table, Column& column,
                                      const ColumnProfile& profile, KindWishes wishes);

}  // namespace candor
