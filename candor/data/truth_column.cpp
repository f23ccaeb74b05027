// SPDX-License-Identifier: MIT
#include <candor/data/truth_column.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace candor {
namespace {

// Whether an option gives the column a role or asks for it, by name or by number.
bool is_decided(Index column, const Table& table, const SchemaOptions& options) {
  const auto is_it = [&](const std::string& name, std::string_view option) {
    return find_column(table, name, option) == column;
  };
  return (options.label && is_it(*options.label, "--label")) ||
         (options.id && is_it(*options.id, "--id")) ||
         (options.trusted && is_it(*options.trusted, "--trusted")) ||
         (options.weight && is_it(*options.weight, "--weight")) ||
         std::ranges::any_of(options.ignore, [&](const auto& s) { return is_it(s, "--ignore"); }) ||
         std::ranges::any_of(options.use, [&](const auto& s) { return is_it(s, "--use"); });
}

}  // namespace

std::string leave_out_truth(const Table& table, SchemaOptions& options) {
  const std::optional<Index> truth = table.find(truth_column);
  if (!truth || is_decided(*truth, table, options)) return {};
  options.ignore.emplace_back(truth_column);
  return fmt::format(
      "column {0}, in which candor simulate keeps the truth, is not learned from; --use {0} if it "
      "should be",
      truth_column);
}

}  // namespace candor
