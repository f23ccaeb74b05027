// SPDX-License-Identifier: MIT
#include "suspects.hpp"

#include "escape.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace candor::cli {
namespace {

using nlohmann::json;

// A column of the table and the columns of X [first, first + width) it became.
struct InputColumn {
  Index column = 0;
  Index first = 0;
  Index width = 1;
  bool category = false;
};

class Suspects {
 public:
  Suspects(const ReportInput& input, const Limits& limits) : input_(input), limits_(limits) {
    const Classifier& classifier = input.classifier;
    for (std::size_t i = 0; i < classifier.row.size(); ++i)
      place_[classifier.row[i]] = static_cast<Index>(i);
    find_inputs();
    for (const Column& column : input.schema.columns)
      if (!column.used() && column.role != ColumnRole::label && column.role != ColumnRole::id)
        others_.push_back(column.index);
  }

  json run() const {
    json list = json::array();
    const Index count = listed_rows(input_, limits_);
    for (Index rank = 0; rank < count; ++rank) {
      const AuditedRow& row = input_.audit.rows[static_cast<std::size_t>(rank)];
      json entry = summary(row);
      if (rank < limits_.compared && input_.cells.contains(row.row))
        entry["compared"] = comparison(row);
      list.push_back(std::move(entry));
    }
    return list;
  }

 private:
  void find_inputs() {
    std::unordered_map<std::string, Index> column_of;
    for (const Column& column : input_.schema.columns) column_of[column.name] = column.index;
    Index next = 0;
    for (const ColumnEncoder& encoder : input_.classifier.encoder.columns) {
      const Index width = !encoder.category && encoder.indicator ? 2 : 1;
      const auto found = column_of.find(encoder.name);
      if (found != column_of.end() && next + width <= input_.classifier.X.cols())
        inputs_.push_back({found->second, next, width, encoder.category});
      next += width;
    }
  }

  json named(Index row) const {
    json entry{{"row", row + 1}};
    if (const auto id = input_.ids.find(row); id != input_.ids.end())
      entry["id"] = shortened(id->second, limits_.text);
    return entry;
  }

  json summary(const AuditedRow& row) const {
    json entry = named(row.row);
    entry["given"] = row.given;
    entry["suggested"] = row.suggested;
    entry["p_wrong"] = rounded(row.p_wrong);
    entry["p_given"] = rounded(row.p_given);
    entry["novelty"] = rounded(row.novelty);
    if (row.trusted) entry["trusted"] = true;
    json neighbours = json::array();
    for (const Neighbour& neighbour : row.neighbours) {
      json other = named(neighbour.row);
      other["label"] = neighbour.label;
      other["similarity"] = rounded(neighbour.similarity);
      other["p_wrong"] = rounded(neighbour.p_wrong);
      neighbours.push_back(std::move(other));
    }
    entry["neighbours"] = std::move(neighbours);
    return entry;
  }

  // Mean distance to the neighbours in this column: standard deviations, or the share that differ;
  // 0 where nothing is known of it.
  double difference(const AuditedRow& row, const InputColumn& input) const {
    const auto own = place_.find(row.row);
    if (own == place_.end() || row.neighbours.empty()) return 0.0;
    const Matrix& X = input_.classifier.X;
    double sum = 0.0, known = 0.0;
    for (const Neighbour& neighbour : row.neighbours) {
      const auto other = place_.find(neighbour.row);
      if (other == place_.end()) continue;
      const double gap = std::abs(X(own->second, input.first) - X(other->second, input.first));
      if (std::isnan(gap)) continue;  // what is not known is no difference to point at
      sum += input.category ? (gap > 0.0 ? 1.0 : 0.0) : gap;
      known += 1.0;
    }
    return known > 0.0 ? sum / known : 0.0;
  }

  std::string cell(Index row, Index column) const {
    const auto cells = input_.cells.find(row);
    const auto place = static_cast<std::size_t>(column);
    if (cells == input_.cells.end() || place >= cells->second.size()) return "";
    return shortened(cells->second[place], limits_.text);
  }

  json comparison(const AuditedRow& row) const {
    std::vector<std::pair<double, Index>> order;  // (difference, column), unused columns last
    for (const InputColumn& input : inputs_)
      order.emplace_back(difference(row, input), input.column);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const Index column : others_) order.emplace_back(-1.0, column);
    const std::size_t all = order.size();
    order.resize(std::min(all, static_cast<std::size_t>(limits_.columns)));

    json columns = json::array(), differences = json::array(), cells = json::array();
    for (const auto& [gap, column] : order) {
      columns.push_back(column);
      differences.push_back(gap < 0.0 ? json(nullptr) : json(rounded(gap)));
      json line = json::array({cell(row.row, column)});
      for (const Neighbour& neighbour : row.neighbours) line.push_back(cell(neighbour.row, column));
      cells.push_back(std::move(line));
    }
    return {{"columns", columns},
            {"difference", differences},
            {"cells", cells},
            {"left_out", all - order.size()}};
  }

  const ReportInput& input_;
  Limits limits_;
  std::unordered_map<Index, Index> place_;  // of a table's row in X
  std::vector<InputColumn> inputs_;
  std::vector<Index> others_;  // columns that are not inputs
};

}  // namespace

double rounded(double value) { return std::round(value * 1e3) / 1e3; }

Index listed_rows(const ReportInput& input, const Limits& limits) {
  const auto all = static_cast<Index>(input.audit.rows.size());
  return std::min(
      {std::max(input.shown, input.audit.above(input.threshold)), limits.suspects, all});
}

json suspects_json(const ReportInput& input, const Limits& limits) {
  return Suspects(input, limits).run();
}

}  // namespace candor::cli
