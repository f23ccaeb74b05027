// SPDX-License-Identifier: MIT
// The options that say how a table is read and what its columns are for.
#pragma once

#include <candor/data/read_table.hpp>
#include <candor/data/schema.hpp>
#include <candor/data/table.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace candor::cli {

struct ReadingOptions {
  std::string path = {};
  std::vector<std::string> na = {};
  bool na_only = false;
  std::string delimiter = {};
  bool header = false;
  bool no_header = false;
  bool needs_label = true;  // false: a table to predict, which may be one input alone
};

struct ColumnOptions {
  std::optional<std::string> label;
  std::optional<std::string> id;
  std::optional<std::string> trusted;
  std::optional<std::string> weight;
  std::vector<std::string> ignore;
  std::vector<std::string> categorical;
  std::vector<std::string> use;
};

void add_reading_options(CLI::App& command, ReadingOptions& options, bool table_is_required = true);
void add_column_options(CLI::App& command, ColumnOptions& options);

[[nodiscard]] Table read(const ReadingOptions& options);
// " --na=- --no-header": how a shell is told to read likewise; the path is not among them.
[[nodiscard]] std::string as_arguments(const ReadingOptions& options);
// UsageError for a column that is both to be ignored and to be used.
[[nodiscard]] SchemaOptions schema_options(const ColumnOptions& options, const Table& table);

// UsageError that lists the columns, the likely ones first, when no label was named.
void require_label(const ColumnOptions& options, const Table& table);

// The file's name without its folder.
[[nodiscard]] std::string base_name(const std::string& path);

}  // namespace candor::cli
