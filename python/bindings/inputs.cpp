// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include "arrays.hpp"

#include <candor/data/number_matrix.hpp>
#include <candor/data/read_table.hpp>
#include <candor/data/truth_column.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <set>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

using Names = std::vector<std::string>;

Inputs from_table(const nb::bytes& text, const std::string& name, const std::string& hash,
                  const std::string& label, const std::optional<std::string>& id,
                  const Names& ignore, const Names& categorical, const Names& use) {
  Table table = table_of({text.c_str(), text.size()}, name, true);
  SchemaOptions options{
      .label = label, .id = id, .ignore = ignore, .categorical = categorical, .use = use};
  const std::string truth = leave_out_truth(table, options);
  Schema schema = infer_schema(table, options);
  Prepared prepared = prepare(table, schema);
  if (!truth.empty()) prepared.notes.insert(prepared.notes.begin(), truth);
  return {std::move(table), std::move(schema), std::move(prepared), {label, name, hash}};
}

// Learns from `rows` of X alone, of which each counts for `weight` rows; empty: for one.
Inputs from_numbers(const Array& array, const Names& names, const std::string& hash,
                    const std::vector<int>& codes, const Names& classes,
                    const std::string& label_name, bool standardise, const std::vector<Index>& rows,
                    const Vector& weight) {
  const auto X = matrix_of(array);
  check_same_size("rows of X", X.rows(), "labels", std::ssize(codes));
  Inputs inputs;
  inputs.origin = {label_name, "array", hash};
  Prepared& prepared = inputs.prepared;
  const auto how = standardise ? Standardise::yes : Standardise::no;
  prepared.encoder = std::ssize(rows) == X.rows()
                         ? fit_encoder(X, names, how, weight)
                         : fit_encoder(Matrix(X(rows, Eigen::all)), names, how, weight);
  prepared.inputs = encode(prepared.encoder, X);
  prepared.labels.classes = classes;
  prepared.labels.codes = codes;
  prepared.labels.counts.assign(classes.size(), 0);
  for (const Index row : rows) {
    ++prepared.labels.counts.at(static_cast<std::size_t>(codes.at(static_cast<std::size_t>(row))));
  }
  prepared.rows = rows;
  prepared.weight = weight;
  prepared.notes = describe(prepared.encoder);
  return inputs;
}

// Both are given for all rows of the table or matrix.  A row of weight 0 is not learned from.
void weigh(Inputs& inputs, const Vector& weight) {
  Prepared& prepared = inputs.prepared;
  check_same_size("sample_weight", weight.size(), "rows", prepared.inputs.X.rows());
  std::erase_if(prepared.rows, [&](Index row) { return weight[row] == 0.0; });
  std::set<int> classes;
  for (const Index row : prepared.rows) {
    classes.insert(prepared.labels.codes[static_cast<std::size_t>(row)]);
  }
  if (classes.size() < 2) {
    throw InvalidInput("y has one class only where sample_weight is above 0: it needs two or more");
  }
  prepared.weight = weight(prepared.rows);
}

void trust(Inputs& inputs, const std::vector<bool>& trusted) {
  check_same_size("trusted", std::ssize(trusted), "rows", inputs.prepared.inputs.X.rows());
  inputs.prepared.trusted.clear();
  for (const Index row : inputs.prepared.rows) {
    inputs.prepared.trusted.push_back(trusted[static_cast<std::size_t>(row)]);
  }
}

// Inputs that may say something of the label and are not learned from, though nobody said so.
// Constants are not among them: nothing is lost.
Names left_out(const Inputs& inputs) {
  Names names;
  for (const Column& column : inputs.schema.columns) {
    const bool by_kind = column.role == ColumnRole::input &&
                         (column.kind == ColumnKind::identifier || column.kind == ColumnKind::date);
    const bool by_likeness = column.role == ColumnRole::ignored && !column.note.empty();
    if (by_kind || by_likeness) names.push_back(column.name);
  }
  return names;
}

}  // namespace

Table table_of(std::string text, std::string name, bool needs_label) {
  ReadOptions options;
  options.format = TableFormat::delimited;
  options.delimiter = ',';
  options.header = true;
  options.needs_label = needs_label;
  options.missing.only_these = true;
  return read_table(Source{.name = std::move(name), .text = std::move(text)}, options);
}

void bind_inputs(nb::module_& module) {
  nb::class_<Inputs>(module, "Inputs")
      .def_prop_ro("notes", [](const Inputs& inputs) { return inputs.prepared.notes; })
      .def_prop_ro("classes", [](const Inputs& inputs) { return inputs.prepared.labels.classes; })
      .def_prop_ro("left_out", &left_out)
      .def("weigh", &weigh, "weight"_a)
      .def("trust", &trust, "trusted"_a);
  module.def("from_table", &from_table, "text"_a, "name"_a, "hash"_a, "label"_a,
             "id"_a.none() = nb::none(), "ignore"_a = Names(), "categorical"_a = Names(),
             "use"_a = Names());
  module.def("from_numbers", &from_numbers, "X"_a, "names"_a, "hash"_a, "codes"_a, "classes"_a,
             "label_name"_a, "standardise"_a, "rows"_a, "weight"_a);
}

}  // namespace candor::python
