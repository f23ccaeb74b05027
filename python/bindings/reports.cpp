// SPDX-License-Identifier: MIT
#include "reports.hpp"

#include "computing.hpp"
#include "inputs.hpp"
#include "names.hpp"

#include <apps/cli/report.hpp>

#include <candor/linalg/errors.hpp>

#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

std::string report(const Inputs& inputs, const Classifier& classifier, double threshold,
                   const std::string& command, int threads) {
  if (!inputs.table) throw InvalidInput("a report needs a table: this fit was of a matrix");
  const Computing computing;
  const Audit found = audit(classifier, {.threshold = threshold, .threads = threads_from(threads)});
  const std::optional<Index> id = inputs.schema.with_role(ColumnRole::id);
  const auto rows = static_cast<Index>(found.rows.size());
  cli::ReportInput input{
      .table_name = inputs.origin.source,
      .command_line = command,
      .classifier = classifier,
      .audit = found,
      .schema = inputs.schema,
      .threshold = threshold,
      .shown = std::min(rows, std::max(Index{50}, found.above(threshold))),
      .id_name = id ? inputs.table->name(*id) : "",
      .ids = {},
      .cells = {},
      .unlabelled = predict_unlabelled(classifier, inputs.prepared, threads_from(threads)),
      .notes = inputs.prepared.notes,
      .threads = threads_from(threads)};
  cli::add_cells(input, *inputs.table, id);
  return cli::html_report(input);
}

}  // namespace

void bind_reports(nb::module_& module) {
  module.def("report", &report, "inputs"_a, "classifier"_a, "threshold"_a, "command"_a,
             "threads"_a);
}

}  // namespace candor::python
