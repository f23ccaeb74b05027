// SPDX-License-Identifier: MIT
// The report of an audit: one HTML file that needs nothing else, no network, no script from
// anywhere.  Every text of the table is escaped.  The same input gives the same bytes.
#pragma once

#include <candor/audit/audit.hpp>
#include <candor/audit/unlabelled.hpp>
#include <candor/data/schema.hpp>
#include <candor/data/table.hpp>
#include <candor/model/classifier.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace candor::cli {

// The names of two different number columns that were learned from.
using MapColumns = std::optional<std::pair<std::string, std::string>>;

// Everything the page shows.  References: the input lives only as long as the call.
struct ReportInput {
  std::string table_name;        // without its folder
  std::string command_line;      // that made this report, ready to be copied
  const Classifier& classifier;  // classes, encoded training rows, questions with their evidence
  const Audit& audit;      // every training row, most suspicious first; rows of the table from 0
  const Schema& schema;    // the table's columns, in order: names of the cells below
  double threshold = 0.5;  // of p_wrong, above which a label counts as suspect
  Index shown = 20;        // so many rows of audit.rows head the list
  std::string id_name;     // of the id column; empty: there is none
  // By row of the table, for the shown rows and their neighbours: the text of every cell, in the
  // table's order, and for these and the unlabelled the id's text, where there is an id.
  std::map<Index, std::string> ids;
  std::map<Index, std::vector<std::string>> cells;
  std::vector<UnlabelledRow> unlabelled = {};
  Index budget = 0;                     // rows a person can review; 0: not said
  std::vector<std::string> notes = {};  // sentences a reader should see: repairs, guesses, warnings
  Threads threads = Threads::all();     // for the predictions of the map
  MapColumns map_columns = {};          // of the map; nothing: chosen by the page
};

// Cells and ids of the shown rows and their neighbours, into the input.
void add_cells(ReportInput& input, const Table& table, std::optional<Index> id_column);

// Largest page, in bytes: longer lists and texts are shortened to fit, and the page says so.
inline constexpr std::size_t report_byte_limit = 1'900'000;

// The page; its map asks predict(input.classifier, …) for the decision regions.
[[nodiscard]] std::string html_report(const ReportInput& input);

// Encoded inputs, t×d, to class probabilities, t×C.
using ClassProbability = std::function<Matrix(const Matrix&)>;

// The same with another source of class probabilities; an empty one leaves the regions out.
[[nodiscard]] std::string html_report(const ReportInput& input,
                                      const ClassProbability& probability);

}  // namespace candor::cli
