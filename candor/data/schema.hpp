// SPDX-License-Identifier: MIT
// What each column is (its kind, found in the cells) and what it is for (its role, said by the
// user). Columns of role `input` and kind `number` or `category` are what a classifier sees.
#pragma once

#include <candor/data/number.hpp>
#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace candor {

enum class ColumnKind { number, category, constant, identifier, date, empty };
enum class ColumnRole { input, label, id, ignored, trusted, weight };

[[nodiscard]] std::string_view to_string(ColumnKind kind);
[[nodiscard]] std::string_view to_string(ColumnRole role);

struct Column {
  std::string name;
  Index index = 0;  // in the table
  ColumnKind kind = ColumnKind::number;
  ColumnRole role = ColumnRole::input;
  NumberStyle style = NumberStyle::plain;
  Index distinct = 0;                      // different values, missing cells aside
  Index missing = 0;                       // cells
  std::vector<std::string> examples = {};  // the first three different values
  std::string note = {};                   // why it is not used, or what is worrying; often empty

  [[nodiscard]] bool used() const {
    return role == ColumnRole::input &&
           (kind == ColumnKind::number || kind == ColumnKind::category);
  }
};

// Columns are given by name or, where no column has that name, by number counted from 1.
struct SchemaOptions {
  std::optional<std::string> label = {};
  std::optional<std::string> id = {};
  std::optional<std::string> trusted = {};
  std::optional<std::string> weight = {};
  std::vector<std::string> ignore = {};
  std::vector<std::string> categorical = {};  // categories though they look like numbers
  std::vector<std::string> use = {};  // inputs though they look like ids or copies of the label
};

struct Schema {
  std::vector<Column> columns;  // in the table's order
  Index rows = 0;
  std::vector<std::string> notes;  // the columns' notes as sentences that name them

  // The first column of that role.
  [[nodiscard]] std::optional<Index> with_role(ColumnRole role) const;
};

// Throws TableError when an option names no column (suggesting the nearest name), gives one
// column two roles, when a number column holds a few cells that are not numbers (their lines are
// named), when the label holds more different numbers than classes do, and when no input is left.
[[nodiscard]] Schema infer_schema(const Table& table, const SchemaOptions& options);

// The column an option names; `option` ("--label") is for the message.
[[nodiscard]] Index find_column(const Table& table, std::string_view name, std::string_view option);

}  // namespace candor
