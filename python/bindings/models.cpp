// SPDX-License-Identifier: MIT
#include "models.hpp"

#include "arrays.hpp"
#include "computing.hpp"
#include "inputs.hpp"
#include "names.hpp"

#include <candor/audit/audit.hpp>
#include <candor/audit/unlabelled.hpp>
#include <candor/covariance/text.hpp>
#include <candor/data/number_matrix.hpp>
#include <candor/data/read_table.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>
#include <candor/model/model_file.hpp>
#include <candor/model/posterior.hpp>

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace candor::python {
namespace {

nb::dict as_dict(const EvidenceRow& row) {
  nb::dict entry;
  entry["model"] = row.name;
  entry["covariances"] = row.family;
  entry["label_errors"] = std::string(name_of(row.errors));
  entry["log_evidence"] = row.log_evidence;
  entry["log_integrated"] = row.log_integrated;
  entry["probability"] = row.probability;
  entry["covariance"] = row.covariance;
  entry["converged"] = row.converged;
  entry["evaluations"] = row.evaluations;
  entry["sweeps"] = row.sweeps;
  return entry;
}

nb::list processes_of(const Question& question) {
  nb::list processes;
  for (const Process& process : question.processes) {
    nb::dict entry;
    entry["name"] = process.name;
    entry["weight"] = process.weight;
    entry["covariance"] = to_text(process.covariance);
    entry["likelihood"] = std::string(name_of(process.likelihood));
    const auto names = parameter_names(process.likelihood);
    const Vector values = parameter_values(process.likelihood);
    nb::dict parameters;
    for (std::size_t i = 0; i < names.size(); ++i) {
      parameters[nb::str(names[i].data(), names[i].size())] = values[static_cast<Index>(i)];
    }
    entry["parameters"] = parameters;
    processes.append(entry);
  }
  return processes;
}

nb::list questions_of(const Classifier& classifier) {
  nb::list questions;
  for (const Question& question : classifier.questions) {
    nb::dict entry;
    entry["positive_class"] = question.positive_class;
    entry["processes"] = processes_of(question);
    nb::list evidence;
    for (const EvidenceRow& row : question.evidence) evidence.append(as_dict(row));
    entry["evidence"] = evidence;
    questions.append(entry);
  }
  return questions;
}

// Of two classes or of a joint question, for this covariance and the likelihood of the heaviest process; with its gradient
// in the covariance's log parameters where that is asked for, whether inference converged, and its jitter.
nb::tuple log_evidence(const Classifier& classifier, const std::string& covariance_text,
                       const std::string& engine, bool with_gradient, int threads) {
  const Covariance covariance = parse_covariance(covariance_text);
  const Index asked = classifier.questions.front().positive_class;
  const Process& heaviest =
      *std::ranges::max_element(classifier.questions.front().processes, {}, &Process::weight);
  double value = 0.0;
  Outcome outcome;
  Vector gradient;
  {
    const Computing computing;
    const Approximation q = infer(
        engine_named(engine), covariance, heaviest.likelihood, classifier.X,
        observations_of(classifier, asked).confused(heaviest.confusion), threads_from(threads));
    value = q.log_evidence;
    outcome = q.outcome;
    if (with_gradient) gradient = evidence_gradient(q, covariance, classifier.X).covariance;
  }
  return nb::make_tuple(value, gradient, outcome.status == Status::converged, outcome.jitter);
}

// Class probabilities and latent moments, or the latter alone, which take less.
nb::dict predicted(FittedModel& model, const Encoded& encoded, bool latent_only, int threads) {
  ClassProbabilities p;
  {
    const Computing computing;
    if (latent_only) {
      LatentMoments latent = predict_latent(model, encoded.X, threads_from(threads), &model.kept);
      p.latent_mean = std::move(latent.mean);
      p.latent_variance = std::move(latent.variance);
    } else {
      p = predict(model, encoded.X, threads_from(threads), &model.kept);
    }
  }
  nb::dict result;
  if (!latent_only) {
    result["clean"] = p.clean;
    result["observed"] = p.observed;
  }
  result["latent_mean"] = p.latent_mean;
  result["latent_variance"] = p.latent_variance;
  result["notes"] = encoded.notes;
  return result;
}

nb::dict predict_numbers(FittedModel& model, const Array& X, bool latent_only, int threads) {
  return predicted(model, encode(model.encoder, matrix_of(X)), latent_only, threads);
}

nb::dict predict_table(FittedModel& model, const nb::bytes& text, bool latent_only, int threads) {
  const Table table = table_of({text.c_str(), text.size()}, "frame", false);
  return predicted(model, encode(model.encoder, table), latent_only, threads);
}

nb::list neighbours_of(const AuditedRow& row) {
  nb::list neighbours;
  for (const Neighbour& near : row.neighbours) {
    nb::dict entry;
    entry["row"] = near.row;
    entry["label"] = near.label;
    entry["similarity"] = near.similarity;
    entry["p_wrong"] = near.p_wrong;
    neighbours.append(entry);
  }
  return neighbours;
}

nb::list rows_of(const Audit& audit) {
  nb::list rows;
  for (const AuditedRow& row : audit.rows) {
    nb::dict entry;
    entry["row"] = row.row;
    entry["given"] = row.given;
    entry["suggested"] = row.suggested;
    entry["alternative"] = row.other;
    entry["p_wrong"] = row.p_wrong;
    entry["p_given"] = row.p_given;
    entry["novelty"] = row.novelty;
    entry["trusted"] = row.trusted;
    entry["neighbours"] = neighbours_of(row);
    rows.append(entry);
  }
  return rows;
}

nb::dict audited(const Classifier& classifier, double threshold, Index reasons_for,
                 Index neighbours, int threads) {
  std::optional<Audit> found;
  {
    const Computing computing;
    found = audit(classifier, {.threshold = threshold,
                               .reasons_for = reasons_for,
                               .neighbours = neighbours,
                               .first_row = 0,
                               .threads = threads_from(threads)});
  }
  nb::dict result;
  result["rows"] = rows_of(*found);
  result["rate"] = found->rate;
  result["rate_interval"] = nb::make_tuple(found->rate_interval.low, found->rate_interval.high);
  result["expected_wrong"] = found->expected_wrong;
  result["wrong_labels"] = nb::make_tuple(found->wrong_labels.low, found->wrong_labels.high);
  result["margin"] = found->margin;
  result["p_label_errors"] = found->p_label_errors;
  result["signal"] = found->signal;
  result["labels_look_clean"] = found->labels_look_clean;
  result["converged"] = found->converged;
  result["verdict"] = found->verdict;
  result["expected_labels"] = found->expected_labels;
  return result;
}

nb::list unlabelled(const Classifier& classifier, const Inputs& inputs, int threads) {
  std::vector<UnlabelledRow> found;
  {
    const Computing computing;
    found = predict_unlabelled(classifier, inputs.prepared, threads_from(threads));
  }
  nb::list rows;
  for (const UnlabelledRow& row : found) {
    nb::dict entry;
    entry["row"] = row.row;
    entry["predicted"] = row.predicted;
    entry["p"] = row.p;
    rows.append(entry);
  }
  return rows;
}

nb::bytes bytes_of(const Classifier& classifier) {
  const std::string bytes = to_bytes(classifier);
  return nb::bytes(bytes.data(), bytes.size());
}

std::unique_ptr<FittedModel> from_bytes(const nb::bytes& bytes, const std::string& name) {
  return std::make_unique<FittedModel>(classifier_from({bytes.c_str(), bytes.size()}, name));
}

std::unique_ptr<FittedModel> from_file(const std::string& path) {
  return std::make_unique<FittedModel>(load(path));
}

std::vector<std::string> column_names(const Classifier& classifier) {
  std::vector<std::string> names;
  for (const ColumnEncoder& column : classifier.encoder.columns) names.push_back(column.name);
  return names;
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<Classifier>(module, "Classifier")
      .def_ro("classes", &Classifier::classes)
      .def_ro("label_name", &Classifier::label_name)
      .def_ro("row", &Classifier::row)
      .def_prop_ro("options", [](const Classifier& c) { return c.provenance.options; })
      .def_prop_ro("converged", &Classifier::converged)
      .def_prop_ro("columns", &column_names)
      .def_prop_ro("questions", &questions_of)
      .def("audit", &audited, "threshold"_a, "reasons_for"_a, "neighbours"_a, "threads"_a)
      .def("predict_unlabelled", &unlabelled, "inputs"_a, "threads"_a)
      .def(
          "save",
          [](const Classifier& classifier, const std::string& path) { save(classifier, path); },
          "path"_a)
      .def("log_evidence", &log_evidence, "covariance"_a, "engine"_a, "gradient"_a, "threads"_a)
      .def("to_bytes", &bytes_of);
  nb::class_<FittedModel, Classifier>(module, "FittedModel")
      .def("predict_numbers", &predict_numbers, "X"_a, "latent_only"_a, "threads"_a)
      .def("predict_table", &predict_table, "text"_a, "latent_only"_a, "threads"_a);
  module.def("load", &from_file, "path"_a);
  module.def("from_bytes", &from_bytes, "bytes"_a, "name"_a);
}

}  // namespace candor::python
