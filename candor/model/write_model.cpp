// SPDX-License-Identifier: MIT
#include <candor/covariance/text.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/write.hpp>
#include <candor/model/container.hpp>
#include <candor/model/model_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace candor {
namespace {

using Json = nlohmann::ordered_json;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// Gathers the two halves: JSON as it grows, arrays beside it.
class Writing {
 public:
  explicit Writing(const Classifier& classifier) : classifier_(classifier) {}

  Container run() {
    Json model;
    model["classes"] = classifier_.classes;
    model["label_name"] = classifier_.label_name;
    model["encoder"] = encoder();
    model["discrete"] = classifier_.discrete;
    model["interrupted"] = classifier_.interrupted;
    model["questions"] = Json::array();
    for (const Question& question : classifier_.questions) {
      const std::string path = "questions." + std::to_string(model["questions"].size()) + ".";
      model["questions"].push_back(write(question, path));
    }
    const Provenance& from = classifier_.provenance;
    model["provenance"] = {{"version", from.version},
                           {"source", from.source},
                           {"data_sha256", from.data_hash},
                           {"options", from.options},
                           {"seed", from.seed}};
    training_rows();
    container_.format = format_of(classifier_);
    // A name that is not UTF-8 must not keep a model from being saved.
    container_.model = model.dump(-1, ' ', false, Json::error_handler_t::replace);
    return std::move(container_);
  }

 private:
  Json encoder() {
    Json columns = Json::array();
    std::vector<double> numbers;
    for (const ColumnEncoder& c : classifier_.encoder.columns) {
      const std::string path = "encoder." + std::to_string(columns.size()) + ".";
      columns.push_back({{"name", c.name},
                         {"category", c.category},
                         {"style", to_string(c.style)},
                         {"indicator", c.indicator},
                         {"levels", c.levels},
                         {"missing_level", c.missing_level}});
      numbers.insert(numbers.end(), {c.center, c.scale, c.fill.value_or(not_known)});
      if (c.knots.empty()) continue;
      put(path + "knots", {std::ssize(c.knots)}, c.knots);
      put(path + "scores", {std::ssize(c.scores)}, c.scores);
    }
    put("encoder.center_scale_fill", {std::ssize(columns), 3}, numbers);
    return {{"columns", columns},
            {"unused", classifier_.encoder.unused},
            {"missing_words", classifier_.encoder.missing_words}};
  }

  void training_rows() {
    const Classifier& c = classifier_;
    std::vector<double> X;
    X.reserve(static_cast<std::size_t>(c.X.size()));
    for (Index i = 0; i < c.X.rows(); ++i) X.insert(X.end(), c.X.row(i).begin(), c.X.row(i).end());
    put("X", {c.X.rows(), c.X.cols()}, std::move(X));
    put("row", {std::ssize(c.row)}, std::vector<std::int64_t>(c.row.begin(), c.row.end()));
    put("label", {std::ssize(c.label)}, std::vector<std::int64_t>(c.label.begin(), c.label.end()));
    if (c.weight.size() > 0) put("weight", c.weight);
    if (!c.trusted.empty()) {
      put("trusted", {std::ssize(c.trusted)},
          std::vector<std::int64_t>(c.trusted.begin(), c.trusted.end()));
    }
  }

  Json write(const Question& q, const std::string& path) {
    put(path + "p_wrong", q.p_wrong);
    if (q.is_joint()) {
      put(path + "p_class_loo", q.p_class_loo);
      if (q.p_instead.size() > 0) put(path + "p_instead", q.p_instead);
    } else {
      put(path + "p_clean_loo", q.p_clean_loo);
    }
    put(path + "rate", {6},
        std::vector<double>{q.rate, q.rate_interval.low, q.rate_interval.high, q.wrong_labels.low,
                            q.wrong_labels.high, q.margin});
    put(path + "label_errors", {2}, std::vector<double>{q.p_label_errors, q.signal});
    return {{"positive_class", q.positive_class},
            {"processes", processes(q.processes, path)},
            {"evidence", evidence(q.evidence, path)}};
  }

  Json processes(const std::vector<Process>& all, const std::string& path) {
    Json list = Json::array();
    std::vector<double> weights;
    for (const Process& p : all) {
      const std::string place = path + "processes." + std::to_string(list.size()) + ".";
      list.push_back({{"name", p.name},
                      {"covariance", to_text(p.covariance)},
                      {"likelihood", name_of(p.likelihood)},
                      {"likelihood_parameters", parameter_names(p.likelihood)}});
      weights.push_back(p.weight);
      put(place + "likelihood", parameter_values(p.likelihood));
      put(place + "site_tau", p.site_tau);
      put(place + "site_nu", p.site_nu);
      if (p.confusion.size() > 0) put(place + "confusion", p.confusion);
    }
    put(path + "process_weight", {std::ssize(weights)}, weights);
    return list;
  }

  Json evidence(const std::vector<EvidenceRow>& rows, const std::string& path) {
    Json list = Json::array();
    std::vector<double> numbers;
    for (const EvidenceRow& row : rows) {
      list.push_back({{"name", row.name},
                      {"family", row.family},
                      {"errors", name_of(row.errors)},
                      {"covariance", row.covariance},
                      {"converged", row.converged},
                      {"evaluations", row.evaluations},
                      {"sweeps", row.sweeps}});
      numbers.insert(numbers.end(), {row.log_evidence, row.log_integrated, row.probability});
    }
    put(path + "evidence", {std::ssize(rows), 3}, numbers);
    return list;
  }

  template <class T>
  void put(const std::string& name, std::vector<Index> shape, std::vector<T> values) {
    container_.arrays[name] = {std::move(shape), std::move(values)};
  }
  void put(const std::string& name, const Vector& values) {
    put(name, {values.size()}, std::vector<double>(values.begin(), values.end()));
  }
  void put(const std::string& name, const Matrix& values) {
    const Matrix by_row = values.transpose();
    put(name, {values.rows(), values.cols()},
        std::vector<double>(by_row.reshaped().begin(), by_row.reshaped().end()));
  }

  const Classifier& classifier_;
  Container container_;
};

}  // namespace

int format_of(const Classifier& classifier) {
  const auto leaves_unknown = [](const ColumnEncoder& column) {
    return !column.category && !column.fill;
  };
  if (std::ranges::any_of(classifier.encoder.columns, leaves_unknown)) return first_unknown_format;
  const auto is_confused = [](const Process& process) { return process.confusion.size() > 0; };
  for (const Question& question : classifier.questions) {
    if (std::ranges::any_of(question.processes, is_confused)) return first_confused_format;
  }
  return classifier.is_joint() ? first_joint_format : 1;
}

std::string to_bytes(const Classifier& classifier) { return pack(Writing(classifier).run()); }

void save(const Classifier& classifier, const std::string& path) {
  try {
    write_atomically(path, to_bytes(classifier));
  } catch (const TableError& error) {
    throw ModelFileError(error.what());
  }
}

}  // namespace candor
