// SPDX-License-Identifier: MIT
#include "document.hpp"

#include "escape.hpp"
#include "suspects.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace candor::cli {
namespace {

using nlohmann::json;

constexpr std::size_t bins = 20;

json interval_json(const Interval& interval) { return json::array({interval.low, interval.high}); }

json classes_json(const Classifier& classifier, const Limits& limits) {
  const std::vector<int> colour = class_colours(classifier);
  std::vector<Index> count(classifier.classes.size(), 0);
  for (const int label : classifier.label) ++count[static_cast<std::size_t>(label)];
  json classes = json::array();
  for (std::size_t c = 0; c < count.size(); ++c)
    classes.push_back({{"name", shortened(classifier.classes[c], limits.text)},
                       {"count", count[c]},
                       {"colour", colour[c]}});
  return classes;
}

json summary_json(const ReportInput& input) {
  const Audit& audit = input.audit;
  return {{"rows", audit.rows.size()},
          {"expected_wrong", audit.expected_wrong},
          {"wrong_labels", interval_json(audit.wrong_labels)},
          {"rate", audit.rate},
          {"rate_interval", interval_json(audit.rate_interval)},
          {"margin", audit.margin},
          {"looks_clean", audit.labels_look_clean},
          {"surely_has_errors", audit.surely_has_errors()},
          {"comparison_failed", audit.comparison_failed},
          {"signal", audit.signal},
          {"has_signal", audit.has_signal()},
          {"converged", audit.converged},
          {"threshold", input.threshold},
          {"budget", input.budget},
          {"suspects", audit.above(input.threshold)}};
}

json histogram_json(const Audit& audit) {
  std::vector<Index> counts(bins, 0);
  for (const AuditedRow& row : audit.rows) {
    const double p = std::clamp(row.p_wrong, 0.0, 1.0);
    ++counts[std::min(bins - 1, static_cast<std::size_t>(p * static_cast<double>(bins)))];
  }
  return counts;
}

// Expected errors among the first k rows, Σ p_wrong: at every k up to 200, ever more thinly then.
json curve_json(const Audit& audit) {
  json reviewed = json::array({0}), found = json::array({0.0});
  double sum = 0.0;
  std::size_t next = 1;
  for (std::size_t k = 1; k <= audit.rows.size(); ++k) {
    sum += audit.rows[k - 1].p_wrong;
    if (k < next && k < audit.rows.size()) continue;
    reviewed.push_back(k);
    found.push_back(rounded(sum));
    next = k < 200 ? k + 1 : k + k / 100;
  }
  return {{"reviewed", reviewed}, {"found", found}};
}

// Suspects by given (line) and suggested (column) class; only classes that occur among them.
json confusion_json(const ReportInput& input) {
  std::map<std::pair<int, int>, Index> count;
  std::set<int> classes;
  for (const AuditedRow& row : input.audit.rows) {
    if (!(row.p_wrong > input.threshold)) break;
    ++count[{row.given, row.suggested}];
    classes.insert({row.given, row.suggested});
  }
  json counts = json::array();
  for (const int given : classes) {
    json line = json::array();
    for (const int suggested : classes) line.push_back(count[{given, suggested}]);
    counts.push_back(std::move(line));
  }
  return {{"classes", classes}, {"counts", counts}};
}

// Which class is mistaken for which, by all rows and not by the suspects alone.
json mistakes_json(const Audit& audit) {
  constexpr std::size_t most = 12;
  json rows = json::array();
  for (const Mistake& mistake : audit.mistakes()) {
    if (rows.size() == most || !audit.has_signal()) break;
    rows.push_back({{"truth", mistake.truth},
                    {"given", mistake.given},
                    {"expected", rounded(mistake.expected)},
                    {"share", rounded(mistake.share)}});
  }
  return rows;
}

json evidence_json(const Classifier& classifier, const Limits& limits) {
  json questions = json::array();
  for (const Question& question : classifier.questions) {
    json rows = json::array();
    for (const EvidenceRow& row : question.evidence)
      rows.push_back({{"name", shortened(row.name, limits.text)},
                      {"errors", name_of(row.errors)},
                      {"log_evidence", row.log_evidence},
                      {"log_integrated", row.log_integrated},
                      {"probability", row.probability},
                      {"covariance", shortened(row.covariance, limits.formula)},
                      {"converged", row.converged},
                      {"evaluations", row.evaluations},
                      {"sweeps", row.sweeps}});
    questions.push_back(
        {{"class", question.is_joint() ? json(nullptr) : json(question.positive_class)},
         {"rate", question.rate},
         {"rate_interval", interval_json(question.rate_interval)},
         {"margin", question.margin},
         {"rows", rows}});
  }
  return questions;
}

// Rows without a label, as far as there is room.
json unlabelled_json(const ReportInput& input, const Limits& limits) {
  json rows = json::array();
  for (const UnlabelledRow& row : input.unlabelled) {
    if (static_cast<Index>(rows.size()) == limits.unlabelled) break;
    const auto id = input.ids.find(row.row);
    rows.push_back({{"row", row.row + 1},
                    {"id", id == input.ids.end() ? "" : shortened(id->second, limits.text)},
                    {"predicted", row.predicted},
                    {"p", rounded(row.p)}});
  }
  return {{"of", input.unlabelled.size()}, {"rows", std::move(rows)}};
}

json schema_json(const Schema& schema, const Limits& limits) {
  json columns = json::array();
  for (const Column& column : schema.columns) {
    if (static_cast<Index>(columns.size()) == limits.schema) break;
    columns.push_back({{"name", shortened(column.name, limits.text)},
                       {"kind", to_string(column.kind)},
                       {"role", to_string(column.role)},
                       {"distinct", column.distinct},
                       {"missing", column.missing},
                       {"note", shortened(column.note, limits.text)}});
  }
  return {{"of", schema.columns.size()}, {"columns", columns}};
}

// Names by column of the table, for the comparisons.
json column_names(const ReportInput& input, const json& suspects, const Limits& limits) {
  std::set<Index> used;
  for (const json& suspect : suspects)
    if (suspect.contains("compared"))
      for (const json& column : suspect["compared"]["columns"]) used.insert(column.get<Index>());
  json names = json::object();
  for (const Column& column : input.schema.columns)
    if (used.contains(column.index))
      names[std::to_string(column.index)] = shortened(column.name, limits.text);
  return names;
}

json notes_json(const ReportInput& input, const Limits& limits) {
  constexpr std::size_t most_notes = 20;
  json notes = json::array();
  for (std::size_t k = 0; k < std::min(input.notes.size(), most_notes); ++k)
    notes.push_back(shortened(input.notes[k], 4 * limits.text));
  if (input.notes.size() > most_notes)
    notes.push_back(std::to_string(input.notes.size() - most_notes) + " more notes are left out");
  return notes;
}

}  // namespace

json document_json(const ReportInput& input, const std::vector<View>& views,
                   const std::vector<Regions>& regions, const Limits& limits) {
  json suspects = suspects_json(input, limits);
  json names = column_names(input, suspects, limits);
  return {{"classes", classes_json(input.classifier, limits)},
          {"summary", summary_json(input)},
          {"histogram", histogram_json(input.audit)},
          {"curve", curve_json(input.audit)},
          {"confusion", confusion_json(input)},
          {"mistakes", mistakes_json(input.audit)},
          {"id_name", shortened(input.id_name, limits.text)},
          {"names", std::move(names)},
          {"suspects", std::move(suspects)},
          {"evidence", evidence_json(input.classifier, limits)},
          {"unlabelled", unlabelled_json(input, limits)},
          {"schema", schema_json(input.schema, limits)},
          {"notes", notes_json(input, limits)},
          {"map", map_json(input, views, regions, limits)}};
}

}  // namespace candor::cli
