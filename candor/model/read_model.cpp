// SPDX-License-Identifier: MIT
#include <candor/covariance/text.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/check_classifier.hpp>
#include <candor/model/container.hpp>
#include <candor/model/model_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace candor {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

LabelErrors label_errors_from(const std::string& name) {
  for (const LabelErrors errors : all_label_errors) {
    if (name == name_of(errors)) return errors;
  }
  throw InvalidInput("label errors are \"" + name + "\"");
}

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
    model.at("classes").get_to(c.classes);
    model.at("label_name").get_to(c.label_name);
    c.encoder = encoder(model.at("encoder"));
    for (const Json& column : model.at("discrete")) c.discrete.push_back(integer<Index>(column));
    c.interrupted = model.at("interrupted").get<bool>();
    training_rows(c);
    for (const Json& question : model.at("questions")) {
      const std::string path = "questions." + std::to_string(c.questions.size()) + ".";
      c.questions.push_back(read_question(question, path));
    }
    const Json& from = model.at("provenance");
    c.provenance = {.version = from.at("version").get<std::string>(),
                    .source = from.at("source").get<std::string>(),
                    .data_hash = from.at("data_sha256").get<std::string>(),
                    .options = from.at("options").get<std::string>(),
                    .seed = integer<unsigned long long>(from.at("seed"))};
    return c;
  }

 private:
  template <class T>
  static T integer(const Json& number) {
    if (!number.is_number_integer()) throw InvalidInput("a number is missing");
    const bool fits = number.is_number_unsigned() ? std::in_range<T>(number.get<std::uint64_t>())
                                                  : std::in_range<T>(number.get<std::int64_t>());
    if (!fits) throw InvalidInput("a number is out of range");
    return number.get<T>();
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

  Encoder encoder(const Json& json) const {
    Encoder encoder;
    json.at("unused").get_to(encoder.unused);
    json.at("missing_words").get_to(encoder.missing_words);
    const Json& columns = json.at("columns");
    const std::vector<double>& numbers =
        values<double>("encoder.center_scale_fill", {static_cast<Index>(columns.size()), 3});
    for (const Json& column : columns) {
      const std::size_t k = encoder.columns.size();
      ColumnEncoder c{.name = column.at("name").get<std::string>(),
                      .category = column.at("category").get<bool>(),
                      .style = number_style_from(column.at("style").get<std::string>()),
                      .center = numbers[3 * k],
                      .scale = numbers[3 * k + 1],
                      .fill = numbers[3 * k + 2],
                      .indicator = column.at("indicator").get<bool>(),
                      .levels = column.at("levels").get<std::vector<std::string>>(),
                      .missing_level = column.at("missing_level").get<bool>()};
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
      if (!std::in_range<int>(label)) throw InvalidInput("a label is out of range");
      c.label.push_back(static_cast<int>(label));
    }
    const auto n = std::ssize(c.row), d = std::ssize(encoded_names(c.encoder));
    const std::vector<double>& X = values<double>("X", {n, d});
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    c.X = Eigen::Map<const RowMajor>(X.data(), n, d);
    if (has("weight")) c.weight = vector("weight");
    if (has("trusted")) {
      for (const Integer trusted : list<Integer>("trusted")) c.trusted.push_back(trusted != 0);
    }
  }

  Question read_question(const Json& json, const std::string& path) const {
    Question q;
    q.positive_class = integer<Index>(json.at("positive_class"));
    q.p_wrong = vector(path + "p_wrong");
    q.p_clean_loo = vector(path + "p_clean_loo");
    const std::vector<double>& rate = values<double>(path + "rate", {6});
    q.rate = rate[0];
    q.rate_interval = {rate[1], rate[2]};
    q.wrong_labels = {rate[3], rate[4]};
    q.margin = rate[5];
    q.processes = processes(json.at("processes"), path);
    q.evidence = evidence(json.at("evidence"), path);
    return q;
  }

  std::vector<Process> processes(const Json& json, const std::string& path) const {
    std::vector<Process> all;
    const std::vector<double>& weights =
        values<double>(path + "process_weight", {static_cast<Index>(json.size())});
    constexpr auto alternatives = std::make_index_sequence<std::variant_size_v<Likelihood>>{};
    for (const Json& item : json) {
      const std::string place = path + "processes." + std::to_string(all.size()) + ".";
      const Likelihood likelihood =
          default_likelihood(item.at("likelihood").get<std::string>(), alternatives);
      all.push_back({.name = item.at("name").get<std::string>(),
                     .weight = weights[all.size()],
                     .covariance = parse_covariance(item.at("covariance").get<std::string>()),
                     .likelihood = with_parameter_values(likelihood, vector(place + "likelihood")),
                     .site_tau = vector(place + "site_tau"),
                     .site_nu = vector(place + "site_nu")});
    }
    return all;
  }

  std::vector<EvidenceRow> evidence(const Json& json, const std::string& path) const {
    std::vector<EvidenceRow> rows;
    const std::vector<double>& numbers =
        values<double>(path + "evidence", {static_cast<Index>(json.size()), 3});
    for (const Json& item : json) {
      const std::size_t k = 3 * rows.size();
      const std::string name = item.at("name").get<std::string>();
      rows.push_back({.name = name,
                      .family = item.value("family", family_in(name)),
                      .errors = label_errors_from(item.at("errors").get<std::string>()),
                      .log_evidence = numbers[k],
                      .log_integrated = numbers[k + 1],
                      .probability = numbers[k + 2],
                      .covariance = item.at("covariance").get<std::string>(),
                      .converged = item.at("converged").get<bool>(),
                      .evaluations = integer<int>(item.at("evaluations")),
                      .sweeps = integer<int>(item.at("sweeps"))});
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
    return classifier;
  } catch (const InvalidInput& error) {
    why = error.what();
  } catch (const Json::exception&) {
    why = "a part of its header is missing or of another kind";
  }
  throw ModelFileError(fmt::format("{} is damaged: {}; fit it again", name, why));
}

Classifier load(const std::string& path) { return classifier_from(read_file(path), path); }

}  // namespace candor
