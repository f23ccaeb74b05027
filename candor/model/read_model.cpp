// SPDX-License-Identifier: MIT
#include <candor/covariance/text.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/check_classifier.hpp>
#include <candor/model/container.hpp>
#include <candor/model/model_file.hpp>
#include <candor/model/within.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

namespace candor {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

LabelErrors label_errors_from(const std::string& name) {
  for (const LabelErrors errors : all_label_errors) {
    if (name == name_of(errors)) return errors;
  }
  throw InvalidInput("label errors are \"" + name + "\"");
}

std::optional<double> known(double x) { return std::isnan(x) ? std::nullopt : std::optional(x); }

template <std::size_t... I>
Likelihood default_likelihood(const std::string& name, std::index_sequence<I...>) {
  Likelihood found;
  const auto consider = [&]<class L>(std::type_identity<L>) {
    if (name == L::name) found = L{};
    return name == L::name;
  };
  if ((consider(std::type_identity<std::variant_alternative_t<I, Likelihood>>{}) || ...)) {
    return found;
  }
  throw InvalidInput("the likelihood is \"" + name + "\"");
}

// Fields are given by their path from the model on, for the refusal: its last word is the key.
const Json& part(const Json& object, const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  if (!object.is_object() || !object.contains(key)) throw InvalidInput(path + " is missing");
  return object.at(key);
}

template <class T>
T get(const Json& object, const std::string& path) {
  try {
    return part(object, path).get<T>();
  } catch (const Json::exception&) {
    throw InvalidInput(path + " is of another kind");
  }
}

// Of an evidence row in a file that does not say: "robust, shared lengthscale" is about the shared
// lengthscale.
std::string family_in(const std::string& name) {
  const std::size_t comma = name.find(", ");
  return comma == std::string::npos ? name : name.substr(comma + 2);
}

// Takes a container apart; InvalidInput and JSON's exceptions where it is not as expected.
class Reading {
 public:
  explicit Reading(const Container& container) : container_(container) {}

  Classifier run() {
    const Json model = Json::parse(container_.model);
    Classifier c;
    c.classes = get<Strings>(model, "classes");
    c.label_name = get<std::string>(model, "label_name");
    c.encoder = encoder(part(model, "encoder"));
    for (const Json& column : part(model, "discrete")) {
      c.discrete.push_back(integer<Index>(column, "discrete"));
    }
    c.interrupted = get<bool>(model, "interrupted");
    training_rows(c);
    for (const Json& question : part(model, "questions")) {
      const std::string path = "questions." + std::to_string(c.questions.size()) + ".";
      c.questions.push_back(read_question(question, path));
    }
    const Json& from = part(model, "provenance");
    c.provenance = {.version = get<std::string>(from, "provenance.version"),
                    .source = get<std::string>(from, "provenance.source"),
                    .data_hash = get<std::string>(from, "provenance.data_sha256"),
                    .options = get<std::string>(from, "provenance.options"),
                    .seed = integer_in<unsigned long long>(from, "provenance.seed")};
    check_options(c.provenance.options);
    return c;
  }

 private:
  // Empty where nobody kept any.
  static void check_options(const std::string& text) {
    if (text.empty()) return;
    const Json options = Json::parse(text, nullptr, false);
    if (!options.is_object()) throw InvalidInput("provenance.options is no JSON object");
    if (options.contains("inference") && !options["inference"].is_string()) {
      throw InvalidInput("the inference of provenance.options is no name");
    }
  }

  template <class T>
  static T integer(const Json& number, const std::string& path) {
    if (!number.is_number_integer()) throw InvalidInput(path + " is no whole number");
    const bool fits = number.is_number_unsigned() ? std::in_range<T>(number.get<std::uint64_t>())
                                                  : std::in_range<T>(number.get<std::int64_t>());
    if (!fits) throw InvalidInput(path + " is out of range");
    return number.get<T>();
  }
  template <class T>
  static T integer_in(const Json& object, const std::string& path) {
    return integer<T>(part(object, path), path);
  }

  template <class T>
  const std::vector<T>& values(const std::string& name, const std::vector<Index>& shape) const {
    const auto found = container_.arrays.find(name);
    if (found == container_.arrays.end()) throw InvalidInput("array " + name + " is missing");
    const auto* list = std::get_if<std::vector<T>>(&found->second.values);
    if (list == nullptr || found->second.shape != shape) {
      throw InvalidInput("array " + name + " has another shape");
    }
    return *list;
  }
  // One-dimensional, of any size.
  template <class T>
  const std::vector<T>& list(const std::string& name) const {
    const auto found = container_.arrays.find(name);
    if (found == container_.arrays.end() || found->second.shape.size() != 1) {
      throw InvalidInput("array " + name + " is missing");
    }
    return values<T>(name, found->second.shape);
  }
  [[nodiscard]] bool has(const std::string& name) const { return container_.arrays.contains(name); }
  [[nodiscard]] Vector vector(const std::string& name) const {
    const std::vector<double>& numbers = list<double>(name);
    return Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
  }

  // Of any shape.
  [[nodiscard]] Matrix matrix(const std::string& name) const {
    const auto found = container_.arrays.find(name);
    if (found == container_.arrays.end() || found->second.shape.size() != 2) {
      throw InvalidInput("array " + name + " is missing");
    }
    const std::vector<Index>& shape = found->second.shape;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(values<double>(name, shape).data(), shape[0], shape[1]);
  }

  Encoder encoder(const Json& json) const {
    Encoder encoder;
    encoder.unused = get<Strings>(json, "encoder.unused");
    encoder.missing_words = get<Strings>(json, "encoder.missing_words");
    const Json& columns = part(json, "encoder.columns");
    const std::vector<double>& numbers =
        values<double>("encoder.center_scale_fill", {static_cast<Index>(columns.size()), 3});
    for (const Json& column : columns) {
      const std::size_t k = encoder.columns.size();
      const std::string place = "encoder.columns." + std::to_string(k) + ".";
      const auto style = get<std::string>(column, place + "style");
      ColumnEncoder c{.name = get<std::string>(column, place + "name"),
                      .category = get<bool>(column, place + "category"),
                      .style = within(place + "style", [&] { return number_style_from(style); }),
                      .center = numbers[3 * k],
                      .scale = numbers[3 * k + 1],
                      .fill = known(numbers[3 * k + 2]),
                      .indicator = get<bool>(column, place + "indicator"),
                      .levels = get<Strings>(column, place + "levels"),
                      .missing_level = get<bool>(column, place + "missing_level")};
      const std::string path = "encoder." + std::to_string(k) + ".";
      if (has(path + "knots")) {
        c.knots = list<double>(path + "knots");
        c.scores = list<double>(path + "scores");
      }
      encoder.columns.push_back(std::move(c));
    }
    return encoder;
  }

  void training_rows(Classifier& c) const {
    using Integer = std::int64_t;
    for (const Integer row : list<Integer>("row")) c.row.push_back(static_cast<Index>(row));
    for (const Integer label : list<Integer>("label")) {
      if (!std::in_range<int>(label)) throw InvalidInput("label is out of range");
      c.label.push_back(static_cast<int>(label));
    }
    const auto n = std::ssize(c.row), d = std::ssize(encoded_names(c.encoder));
    const std::vector<double>& X = values<double>("X", {n, d});
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    c.X = Eigen::Map<const RowMajor>(X.data(), n, d);
    if (has("weight")) c.weight = vector("weight");
    if (has("trusted")) {
      for (const Integer trusted : list<Integer>("trusted")) {
        if (trusted != 0 && trusted != 1) throw InvalidInput("trusted is neither 0 nor 1");
        c.trusted.push_back(trusted == 1);
      }
    }
  }

  Question read_question(const Json& json, const std::string& path) const {
    Question q;
    q.positive_class = integer_in<Index>(json, path + "positive_class");
    q.p_wrong = vector(path + "p_wrong");
    if (q.is_joint()) {
      q.p_class_loo = matrix(path + "p_class_loo");
      if (has(path + "p_instead")) q.p_instead = matrix(path + "p_instead");
    } else {
      q.p_clean_loo = vector(path + "p_clean_loo");
    }
    const std::vector<double>& rate = values<double>(path + "rate", {6});
    q.rate = rate[0];
    q.rate_interval = {rate[1], rate[2]};
    q.wrong_labels = {rate[3], rate[4]};
    q.margin = rate[5];
    q.processes = processes(part(json, path + "processes"), path);
    q.evidence = evidence(part(json, path + "evidence"), path);
    read_label_errors(q, path + "label_errors");
    return q;
  }

  // Older files have none: what such candidates have of the probability is near it.
  void read_label_errors(Question& question, const std::string& path) const {
    if (has(path)) {
      const std::vector<double>& read = values<double>(path, {2});
      question.p_label_errors = read[0];
      question.signal = read[1];
      return;
    }
    for (const EvidenceRow& row : question.evidence) {
      if (row.errors != LabelErrors::none) question.p_label_errors += row.probability;
    }
    question.p_label_errors = std::min(question.p_label_errors, 1.0);
    question.signal = std::numeric_limits<double>::infinity();
  }

  std::vector<Process> processes(const Json& json, const std::string& path) const {
    std::vector<Process> all;
    const std::vector<double>& weights =
        values<double>(path + "process_weight", {static_cast<Index>(json.size())});
    constexpr auto alternatives = std::make_index_sequence<std::variant_size_v<Likelihood>>{};
    for (const Json& item : json) {
      const std::string place = path + "processes." + std::to_string(all.size()) + ".";
      const auto name = get<std::string>(item, place + "likelihood");
      const Vector parameters = vector(place + "likelihood");
      const auto likelihood = [&] {
        return with_parameter_values(default_likelihood(name, alternatives), parameters);
      };
      const auto text = get<std::string>(item, place + "covariance");
      const auto covariance = [&] { return parse_covariance(text); };
      all.push_back(
          {.name = get<std::string>(item, place + "name"),
           .weight = weights[all.size()],
           .covariance = within(place + "covariance", covariance),
           .likelihood = within(place + "likelihood", likelihood),
           .site_tau = vector(place + "site_tau"),
           .site_nu = vector(place + "site_nu"),
           .confusion = has(place + "confusion") ? matrix(place + "confusion") : Matrix()});
    }
    return all;
  }

  std::vector<EvidenceRow> evidence(const Json& json, const std::string& path) const {
    std::vector<EvidenceRow> rows;
    const std::vector<double>& numbers =
        values<double>(path + "evidence", {static_cast<Index>(json.size()), 3});
    for (const Json& item : json) {
      const std::size_t k = 3 * rows.size();
      const std::string place = path + "evidence." + std::to_string(rows.size()) + ".";
      const auto name = get<std::string>(item, place + "name");
      const auto errors = get<std::string>(item, place + "errors");
      rows.push_back({.name = name,
                      .family = item.contains("family") ? get<std::string>(item, place + "family")
                                                        : family_in(name),
                      .errors = within(place + "errors", [&] { return label_errors_from(errors); }),
                      .log_evidence = numbers[k],
                      .log_integrated = numbers[k + 1],
                      .probability = numbers[k + 2],
                      .covariance = get<std::string>(item, place + "covariance"),
                      .converged = get<bool>(item, place + "converged"),
                      .evaluations = integer_in<int>(item, place + "evaluations"),
                      .sweeps = integer_in<int>(item, place + "sweeps")});
    }
    return rows;
  }

  const Container& container_;
};

std::string read_file(const std::string& path) {
  const auto refuse = [&](std::string_view what) {
    throw ModelFileError(fmt::format("{} cannot be read: {}", path, what));
  };
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) refuse(error ? error.message() : "there is no such file");
  if (!fs::is_regular_file(status)) refuse("it is a folder or no regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) refuse("it may not be opened");
  try {
    // A foreign file is known by its first bytes, however large it is.
    constexpr std::uintmax_t enough_to_tell = 4096;
    std::string bytes;
    for (const std::uintmax_t part : {std::min(size, enough_to_tell), size}) {
      const std::size_t there = bytes.size();
      bytes.resize(static_cast<std::size_t>(part));
      file.read(bytes.data() + there, static_cast<std::streamsize>(part - there));
      bytes.resize(there + static_cast<std::size_t>(file.gcount()));
      if (!begins_like_a_model(bytes)) break;
    }
    return bytes;
  } catch (const std::bad_alloc&) {
    refuse("it is larger than the memory");
  } catch (const std::length_error&) {
    refuse("it is larger than the memory");
  }
  return {};
}

}  // namespace

Classifier classifier_from(std::string_view bytes, const std::string& name) {
  const Container container = unpack(bytes, name);
  std::string why;
  try {
    Classifier classifier = Reading(container).run();
    check(classifier);
    if (const int needed = format_of(classifier); container.format < needed) {
      throw InvalidInput(fmt::format("it says format {}, and holds what only format {} has",
                                     container.format, needed));
    }
    return classifier;
  } catch (const InvalidInput& error) {
    why = error.what();
  } catch (const Json::exception&) {
    why = "a part of its header is missing or of another kind";
  }
  throw ModelFileError(fmt::format("{} is damaged: {}; fit it again", name, why));
}

Classifier load(const std::string& path) { return classifier_from(read_file(path), path); }

bool is_model_file(const std::string& path) {
  std::error_code unknown;
  // A pipe can be read only once.
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string first(64, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(file.gcount()));
  return begins_like_a_model(first);
}

}  // namespace candor
