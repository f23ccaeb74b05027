// SPDX-License-Identifier: MIT
#include <candor/data/observation_columns.hpp>
#include <candor/data/table_error.hpp>
#include <candor/model/fit.hpp>

#include <fmt/format.h>

namespace candor {
namespace {

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
  notes.insert(notes.end(), more.begin(), more.end());
}

std::vector<std::string> all_notes(const Table& table, const Schema& schema,
                                   const Prepared& prepared) {
  std::vector<std::string> notes;
  append(notes, table.notes());
  append(notes, schema.notes);
  append(notes, describe(prepared.encoder));
  append(notes, prepared.inputs.notes);
  append(notes, prepared.labels.notes);
  if (const Index missing = prepared.labels.missing; missing > 0) {
    notes.push_back(
        missing == 1
            ? "1 row has no label: it is predicted, not learned from"
            : fmt::format("{} rows have no label: they are predicted, not learned from", missing));
  }
  return notes;
}

}  // namespace

Prepared prepare(const Table& table, const Schema& schema) {
  const auto label = schema.with_role(ColumnRole::label);
  if (!label) {
    throw TableError(table.source() + ": no column is the label: name it with --label");
  }
  Prepared prepared{.encoder = fit_encoder(table, schema),
                    .inputs = {},
                    .labels = read_labels(table, *label),
                    .rows = {},
                    .weight = {},
                    .trusted = {},
                    .notes = {}};
  prepared.inputs = encode(prepared.encoder, table);
  for (Index row = 0; row < table.rows(); ++row) {
    if (prepared.labels.codes[static_cast<std::size_t>(row)] >= 0) prepared.rows.push_back(row);
  }
  if (const auto column = schema.with_role(ColumnRole::weight)) {
    prepared.weight = read_weights(table, *column, prepared.rows);
  }
  if (const auto column = schema.with_role(ColumnRole::trusted)) {
    const std::vector<bool> trusted = read_trusted(table, *column);
    for (const Index row : prepared.rows) {
      prepared.trusted.push_back(trusted[static_cast<std::size_t>(row)]);
    }
  }
  prepared.notes = all_notes(table, schema, prepared);
  return prepared;
}

}  // namespace candor
