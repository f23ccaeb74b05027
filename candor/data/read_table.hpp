// SPDX-License-Identifier: MIT
// The door to tables: any supported file to a Table, or a TableError.  What is read and how is in
// docs/tables.md.  The readers are pure functions of their bytes.
#pragma once

#include <candor/data/dialect.hpp>
#include <candor/data/missing.hpp>
#include <candor/data/source.hpp>
#include <candor/data/table.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace candor {

// What the user has said; nothing means "find out".
struct ReadOptions {
  std::optional<TableFormat> format = {};
  std::optional<char> delimiter = {};
  std::optional<bool> header = {};
  bool needs_label = true;  // false: one column, an input, is enough
  MissingWish missing = {};
  std::size_t byte_limit = default_byte_limit;  // after unpacking
};

// `path` may be "-", standard input.
[[nodiscard]] Table read_table(const std::string& path, const ReadOptions& options = {});
[[nodiscard]] Table read_table(Source source, const ReadOptions& options = {});

// One format each.
[[nodiscard]] Table read_delimited(Source source, const ReadOptions& options = {});
[[nodiscard]] Table read_arff(Source source, const ReadOptions& options = {});
[[nodiscard]] Table read_libsvm(Source source, const ReadOptions& options = {});

// By the name's ending (before .gz), then by the content.
[[nodiscard]] TableFormat detect_format(const Source& source);

}  // namespace candor
