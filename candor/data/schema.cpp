// SPDX-License-Identifier: MIT
#include <candor/data/schema.hpp>

#include <candor/data/column_kind.hpp>
#include <candor/data/column_profile.hpp>
#include <candor/data/label_copy.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace candor {
namespace {

// Roles and wishes by column, from the options.
struct Plan {
  std::vector<ColumnRole> roles;
  std::vector<KindWishes> wishes;
};

void give_role(const Table& table, Plan& plan, const std::optional<std::string>& name,
               ColumnRole role, std::string_view option) {
  if (!name) return;
  const Index column = find_column(table, *name, option);
  ColumnRole& slot = plan.roles[static_cast<std::size_t>(column)];
  if (slot != ColumnRole::input)
    throw TableError(
        fmt::format("{}: column {} is asked for by {} and already has the role {}: a"
                    " column has one role",
                    table.source(), shown(table.name(column)), option, to_string(slot)));
  slot = role;
}

Plan make_plan(const Table& table, const SchemaOptions& options) {
  const auto columns = static_cast<std::size_t>(table.columns());
  Plan plan{std::vector<ColumnRole>(columns, ColumnRole::input), std::vector<KindWishes>(columns)};
  give_role(table, plan, options.label, ColumnRole::label, "--label");
  give_role(table, plan, options.id, ColumnRole::id, "--id");
  give_role(table, plan, options.trusted, ColumnRole::trusted, "--trusted");
  give_role(table, plan, options.weight, ColumnRole::weight, "--weight");
  for (const std::string& name : options.ignore)
    give_role(table, plan, name, ColumnRole::ignored, "--ignore");
  for (const Index column : table.declared_categories())
    plan.wishes[static_cast<std::size_t>(column)].categorical = true;
  for (const std::string& name : options.categorical)
    plan.wishes[static_cast<std::size_t>(find_column(table, name, "--categorical"))].categorical =
        true;
  for (const std::string& name : options.use)
    plan.wishes[static_cast<std::size_t>(find_column(table, name, "--use"))].use = true;
  return plan;
}

// What must be refused about a column.
struct Problem {
  std::string column;
  std::string what;
};

// Numbers of many values are a quantity, which somebody has mistaken for classes.
void check_label(const Table& table, Index column, const ColumnProfile& profile) {
  constexpr Index most_whole_numbers = 20, most_fractions = 10;
  if (!profile.all_numbers()) return;
  const bool whole =
      std::ranges::all_of(profile.sorted, [](double x) { return x == std::floor(x); });
  if (profile.distinct <= (whole ? most_whole_numbers : most_fractions)) return;
  throw TableError(
      fmt::format("{}: label column {} holds {} different numbers, which look like a quantity, "
                  "not like classes: name another column, or take them as classes with "
                  "--categorical",
                  table.source(), shown(table.name(column)), profile.distinct));
}

// Rows that cannot be told apart by what names them.
std::string repeated_id_note(const Table& table, Index column) {
  std::unordered_map<std::string, Index> first_row;
  for (Index row = 0; row < table.rows(); ++row) {
    if (table.is_missing(row, column)) continue;
    const std::string id = table.cell(row, column);
    const auto [first, is_new] = first_row.emplace(id, row);
    if (!is_new)
      return fmt::format(
          "{} is in lines {} and {}: the ids do not tell rows apart, and candor apply will not "
          "go by them",
          shown(id), table.line(first->second), table.line(row));
  }
  return {};
}

Column describe_column(const Table& table, Index index, ColumnRole role, KindWishes wishes,
                       std::vector<Problem>& problems) {
  const ColumnProfile profile = profile_column(table, index);
  Column column;
  column.name = table.name(index);
  column.index = index;
  column.role = role;
  const std::string problem = decide_kind(table, column, profile, wishes);
  if (!problem.empty()) problems.push_back({column.name, problem});
  column.style = profile.style;
  column.distinct = profile.distinct;
  column.missing = profile.missing;
  column.examples = profile.examples;
  if (role != ColumnRole::input) column.note.clear();
  if (role == ColumnRole::label && !wishes.categorical) check_label(table, index, profile);
  if (role == ColumnRole::id && profile.distinct < profile.present)
    column.note = repeated_id_note(table, index);
  return column;
}

// A column that holds what the label does is left out, or worth a word.
void find_label_copies(const Table& table, const Plan& plan, Schema& schema) {
  const std::optional<Index> label = schema.with_role(ColumnRole::label);
  if (!label) return;
  constexpr Index most_odd_values = 5;  // of a copy in which somebody has typed
  const Index classes = schema.columns[static_cast<std::size_t>(*label)].distinct;
  for (Column& column : schema.columns) {
    const bool wanted = plan.wishes[static_cast<std::size_t>(column.index)].use;
    const bool as_many = column.distinct >= classes && column.distinct <= classes + most_odd_values;
    if (!column.used() || wanted || !as_many) continue;
    const double share = likeness(table, column.index, *label).value_or(0.0);
    if (share < likeness_share) continue;
    column.note =
        fmt::format("holds the label's values, and in {:.0f} % of rows the label: ", 100.0 * share);
    if (share < copy_share) {
      column.note += "if it is a copy, leave it out with --ignore";
      continue;
    }
    column.note += "taken for a copy, not used (--use takes it as an input)";
    column.role = ColumnRole::ignored;
  }
}

// The first in full, the others by name: one correction is often all it takes.
void refuse_problems(const Table& table, const std::vector<Problem>& problems) {
  if (problems.empty()) return;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < problems.size(); ++i) others.push_back(shown(problems[i].column));
  throw TableError(fmt::format("{}: {}{}", table.source(), problems.front().what,
                               others.empty() ? "" : "; the same holds for " + listed(others)));
}

// What is the same for many columns is said once.
std::string_view shared_note(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::constant:
      return "every cell holds the same value: not used";
    case ColumnKind::empty:
      return "every cell is missing: not used";
    case ColumnKind::date:
      return "dates or times: not used";
    default:
      return {};
  }
}

std::vector<std::string> collect_notes(const std::vector<Column>& columns) {
  std::vector<std::string> notes;
  std::map<ColumnKind, std::vector<const Column*>> groups;
  for (const Column& column : columns) {
    if (column.note.empty()) continue;
    if (shared_note(column.kind).empty())
      notes.push_back(fmt::format("column {}: {}", shown(column.name), column.note));
    else
      groups[column.kind].push_back(&column);
  }
  for (const auto& [kind, group] : groups) {
    std::vector<std::string> names;
    for (const Column* column : group) names.push_back(shown(column->name));
    notes.push_back(group.size() == 1
                        ? fmt::format("column {}: {}", names[0], group[0]->note)
                        : fmt::format("columns {}: {}", listed(names), shared_note(kind)));
  }
  return notes;
}

}  // namespace

std::string_view to_string(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::number:
      return "number";
    case ColumnKind::category:
      return "category";
    case ColumnKind::constant:
      return "constant";
    case ColumnKind::identifier:
      return "identifier";
    case ColumnKind::date:
      return "date";
    case ColumnKind::empty:
      return "empty";
  }
  return "number";
}

std::string_view to_string(ColumnRole role) {
  switch (role) {
    case ColumnRole::input:
      return "input";
    case ColumnRole::label:
      return "label";
    case ColumnRole::id:
      return "id";
    case ColumnRole::ignored:
      return "ignored";
    case ColumnRole::trusted:
      return "trusted";
    case ColumnRole::weight:
      return "weight";
  }
  return "input";
}

std::optional<Index> Schema::with_role(ColumnRole role) const {
  for (const Column& column : columns)
    if (column.role == role) return column.index;
  return std::nullopt;
}

Index find_column(const Table& table, std::string_view name, std::string_view option) {
  if (const auto found = table.find(name)) return *found;
  Index number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = error == std::errc{} && end == name.data() + name.size();
  if (whole && number >= 1 && number <= table.columns()) return number - 1;
  if (whole) {
    throw TableError(fmt::format(
        "{}: {} names column {}, and the columns are counted from 1 to {}: {}", table.source(),
        option, name, table.columns(), listed(all_shown(table.names()), 12)));
  }
  if (table.find(fmt::format("{} (1)", name))) {
    throw TableError(
        fmt::format("{}: {} names {}, and several columns are called so: say which by "
                    "its number, or as {}",
                    table.source(), option, shown(name), shown(fmt::format("{} (1)", name))));
  }
  const std::string nearest = nearest_name_of(name, table.names());
  throw TableError(fmt::format(
      "{}: {} names {}, and there is no such column: {}{}", table.source(), option, shown(name),
      nearest.empty() ? "the columns are " + listed(all_shown(table.names()), 12)
                      : fmt::format("did you mean {}?", shown(nearest)),
      table.dialect().header ? "" : " (the table was read as having no line of names)"));
}

Schema infer_schema(const Table& table, const SchemaOptions& options) {
  const Plan plan = make_plan(table, options);
  Schema schema;
  schema.rows = table.rows();
  std::vector<Problem> problems;
  for (Index i = 0; i < table.columns(); ++i) {
    const auto slot = static_cast<std::size_t>(i);
    schema.columns.push_back(
        describe_column(table, i, plan.roles[slot], plan.wishes[slot], problems));
  }
  refuse_problems(table, problems);
  find_label_copies(table, plan, schema);
  schema.notes = collect_notes(schema.columns);
  const bool any = std::any_of(schema.columns.begin(), schema.columns.end(),
                               [](const Column& column) { return column.used(); });
  if (!any)
    throw TableError(
        fmt::format("{}: no column is left to learn from: {}", table.source(),
                    schema.notes.empty() ? "all have another role" : listed(schema.notes, 3)));
  return schema;
}

}  // namespace candor
