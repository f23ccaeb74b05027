// SPDX-License-Identifier: MIT
#include "report.hpp"

namespace candor::cli {

void add_cells(ReportInput& input, const Table& table, std::optional<Index> id_column) {
  const auto add = [&](Index row) {
    if (input.cells.contains(row)) return;
    std::vector<std::string>& cells = input.cells[row];
    for (Index j = 0; j < table.columns(); ++j) cells.push_back(table.cell(row, j));
    if (id_column) input.ids[row] = table.cell(row, *id_column);
  };
  for (std::size_t k = 0; k < input.audit.rows.size() && static_cast<Index>(k) < input.shown; ++k) {
    add(input.audit.rows[k].row);
    for (const Neighbour& near : input.audit.rows[k].neighbours) add(near.row);
  }
  if (!id_column) return;
  for (const UnlabelledRow& row : input.unlabelled) {
    input.ids[row.row] = table.cell(row.row, *id_column);
  }
}

std::string html_report(const ReportInput& input) {
  return html_report(
      input, [&](const Matrix& X) { return predict(input.classifier, X, input.threads).clean; });
}

}  // namespace candor::cli
