// SPDX-License-Identifier: MIT
#include "inputs.hpp"

#include "arrays.hpp"

#include <candor/data/number_matrix.hpp>
#include <candor/data/read_table.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

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
  Schema schema = infer_schema(
      table, {.label = label, .id = id, .ignore = ignore, .categorical = categorical, .use = use});
  Prepared prepared = prepare(table, schema);
  return {std::move(table), std::move(schema), std::move(prepared), {label, name, hash}};
}

Inputs from_numbers(const Array& array, const Names& names, const std::string& hash,
                    const std::vector<int>& codes, const Names& classes,
                    const std::string& label_name, bool standardise, const Vector& weight) {
  const auto X = matrix_of(array);
  check_same_size("rows of X", X.rows(), "labels", std::ssize(codes));
  Inputs inputs;
  inputs.origin = {label_name, "array", hash};
  Prepared& prepared = inputs.prepared;
  prepared.encoder =
      fit_encoder(X, names, standardise ? Standardise::yes : Standardise::no, weight);
  prepared.inputs = encode(prepared.encoder, X);
  prepared.labels.classes = classes;
  prepared.labels.codes = codes;
  prepared.labels.counts.assign(classes.size(), 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    ++prepared.labels.counts.at(static_cast<std::size_t>(codes[i]));
    prepared.rows.push_back(static_cast<Index>(i));
  }
  prepared.weight = weight;
  prepared.notes = describe(prepared.encoder);
  return inputs;
}

// Both are given for all rows of the table or matrix.
void weigh(Inputs& inputs, const Vector& weight) {
  check_same_size("sample_weight", weight.size(), "rows", inputs.prepared.inputs.X.rows());
  inputs.prepared.weight = weight(inputs.prepared.rows);
}

void trust(Inputs& inputs, const std::vector<bool>& trusted) {
  check_same_size("trusted", std::ssize(trusted), "rows", inputs.prepared.inputs.X.rows());
  inputs.prepared.trusted.clear();
  for (const Index row : inputs.prepared.rows) {
    inputs.prepared.trusted.push_back(trusted[static_cast<std::size_t>(row)]);
  }
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
      .def("weigh", &weigh, "weight"_a)
      .def("trust", &trust, "trusted"_a);
  module.def("from_table", &from_table, "text"_a, "name"_a, "hash"_a, "label"_a,
             "id"_a.none() = nb::none(), "ignore"_a = Names(), "categorical"_a = Names(),
             "use"_a = Names());
  module.def("from_numbers", &from_numbers, "X"_a, "names"_a, "hash"_a, "codes"_a, "classes"_a,
             "label_name"_a, "standardise"_a, "weight"_a);
}

}  // namespace candor::python
