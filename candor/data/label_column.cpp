// SPDX-License-Identifier: MIT
#include <candor/data/label_column.hpp>

#include <candor/data/natural_order.hpp>
#include <candor/data/number.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace candor {
namespace {

using Counts = std::unordered_map<std::string, Index>;

Counts count_labels(const Table& table, Index column) {
  Counts counts;
  std::string scratch;
  for (Index row = 0; row < table.rows(); ++row)
    if (!table.is_missing(row, column)) ++counts[std::string(table.view(row, column, scratch))];
  return counts;
}

void check_classes(const Table& table, Index column, const Counts& counts, Index most_classes) {
  const std::string where =
      fmt::format("{}: label column {}", table.source(), shown(table.name(column)));
  if (counts.empty()) throw TableError(where + " is empty: every label is missing");
  if (counts.size() == 1)
    throw TableError(fmt::format("{} holds one class only, {}: a classifier needs two", where,
                                 shown(counts.begin()->first)));
  if (static_cast<Index>(counts.size()) > most_classes)
    throw TableError(
        fmt::format("{} holds {} different values: at most {} classes are taken; is it"
                    " the right column?",
                    where, counts.size(), most_classes));
}

// What is left of a label when case, blanks and a final point do not count; numbers by value.
std::string essence(const std::string& label) {
  if (const auto value = parse_number(label)) return format_number(*value);
  std::string out;
  for (const char c : lower_case(label))
    if (c != ' ' && c != '_' && c != '-' && c != '\t') out += c;
  while (!out.empty() && out.back() == '.') out.pop_back();
  return out.empty() ? label : out;
}

void note_look_alikes(LabelColumn& labels) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const std::string& label : labels.classes) groups[essence(label)].push_back(shown(label));
  for (const auto& [key, group] : groups)
    if (group.size() > 1)
      labels.notes.push_back(fmt::format(
          "labels {} look alike and are kept apart: make them one in the table if they are",
          listed(group)));
}

void note_single_rows(LabelColumn& labels) {
  std::vector<std::string> single;
  for (std::size_t i = 0; i < labels.classes.size(); ++i)
    if (labels.counts[i] == 1) single.push_back(shown(labels.classes[i]));
  if (!single.empty())
    labels.notes.push_back(fmt::format("{} of one row only: {}",
                                       single.size() == 1 ? "a class" : "classes", listed(single)));
}

LabelColumn assign_codes(const Table& table, Index column, const std::vector<std::string>& classes,
                         const MissingWords& also_missing) {
  LabelColumn labels;
  labels.classes = classes;
  labels.counts.assign(classes.size(), 0);
  std::unordered_map<std::string, int> code_of;
  for (std::size_t i = 0; i < classes.size(); ++i) code_of.emplace(classes[i], static_cast<int>(i));
  labels.codes.reserve(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string label = table.cell(row, column);
    const auto found = code_of.find(label);  // first: a class may be called NA
    if (found == code_of.end() && (table.is_missing(row, column) || also_missing.contains(label))) {
      labels.codes.push_back(-1);
      ++labels.missing;
      continue;
    }
    if (found == code_of.end()) {
      const std::string nearest = nearest_name_of(label, classes);
      throw TableError(
          fmt::format("{}: {} is not among the known classes {}{}", place(table, row, column),
                      shown(label), listed(all_shown(classes), 10),
                      nearest.empty() ? "" : ": did you mean " + shown(nearest) + "?"));
    }
    labels.codes.push_back(found->second);
    ++labels.counts[static_cast<std::size_t>(found->second)];
  }
  return labels;
}

}  // namespace

LabelColumn read_labels(const Table& table, Index column, Index most_classes) {
  const Counts counts = count_labels(table, column);
  check_classes(table, column, counts, most_classes);
  std::vector<std::string> classes;
  for (const auto& [label, count] : counts) classes.push_back(label);
  std::sort(classes.begin(), classes.end(), natural_less);
  LabelColumn labels =
      assign_codes(table, column, classes, MissingWords(std::vector<std::string>{}));
  note_look_alikes(labels);
  note_single_rows(labels);
  return labels;
}

LabelColumn read_labels(const Table& table, Index column, const std::vector<std::string>& classes,
                        const MissingWords& missing_in_training) {
  return assign_codes(table, column, classes, missing_in_training);
}

}  // namespace candor
