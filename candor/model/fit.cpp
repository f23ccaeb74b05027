// SPDX-License-Identifier: MIT
#include <candor/model/fit.hpp>

#include <candor/covariance/log_parameters.hpp>
#include <candor/data/wording.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/model/candidate_covariances.hpp>
#include <candor/model/posterior.hpp>
#include <candor/model/question.hpp>
#include <candor/model/sha256.hpp>
#include <candor/model/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace candor {
namespace {

// Thrown through learning when the watcher says no: what it returns by itself would first have its
// hyperparameters integrated out, which can take longer than the search.
struct Stopped {};

// One question on its way to an answer.
struct Task {
  Index positive_class;
  std::string stage;  // what progress says of it
  Observations observations;
  std::vector<Finding> findings;
};

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

Classifier everything_but_answers(const Prepared& prepared, const Origin& origin,
                                  const FitOptions& options) {
  Classifier classifier;
  classifier.classes = prepared.labels.classes;
  classifier.label_name = origin.label_name;
  classifier.encoder = prepared.encoder;
  classifier.discrete = prepared.inputs.discrete;
  classifier.X = prepared.inputs.X(prepared.rows, Eigen::all);
  classifier.row = prepared.rows;
  for (const Index row : prepared.rows) {
    classifier.label.push_back(prepared.labels.codes[static_cast<std::size_t>(row)]);
  }
  classifier.weight = prepared.weight;
  classifier.trusted = prepared.trusted;
  classifier.provenance = {.version = std::string(version()),
                           .source = origin.source,
                           .data_hash = origin.data_hash,
                           .options = options.options_json,
                           .seed = options.seed};
  return classifier;
}

std::vector<Task> tasks_of(const Classifier& classifier, bool joint) {
  const auto classes = static_cast<Index>(classifier.classes.size());
  if (classes == 2) return {{1, "", observations_of(classifier, 1), {}}};
  if (joint) return {{every_class, "", observations_of(classifier, every_class), {}}};
  std::vector<Task> tasks;
  for (Index k = 0; k < classes; ++k) {
    tasks.push_back({k,
                     fmt::format("class {} of {} ({}): ", k + 1, classes,
                                 shown(classifier.classes[static_cast<std::size_t>(k)])),
                     observations_of(classifier, k),
                     {}});
  }
  return tasks;
}

void learn_covariance(const NamedCovariance& covariance, double share,
                      const std::vector<LabelErrors>& views, const Classifier& classifier,
                      const FitOptions& options, Task& task) {
  const TrainingSet data{classifier.X, task.observations, options.threads};
  const auto watcher = [&](Progress progress) {
    progress.stage = task.stage + progress.stage;
    if (options.watcher && !options.watcher(progress)) throw Stopped{};
    return true;
  };
  Selecting selecting{.errors = views, .covariances = {covariance}, .inference = options.inference};
  selecting.regular = options.regular;
  selecting.rate = options.rate;
  selecting.curvature = options.average == Average::full;
  for (const Finding& finding : task.findings) {
    if (finding.candidate.confusion) selecting.shares = finding.candidate.confusion->share;
  }
  selecting.learning.use_prior = options.use_prior;
  selecting.learning.spread_starts = options.restarts;
  selecting.learning.choice.anything = options.learn_parameters;
  selecting.learning.watcher = watcher;
  watcher(
      {.stage = covariance.name + ", beginning", .best = -std::numeric_limits<double>::infinity()});
  Selection selection = select_model(data, selecting);
  std::vector<Finding> found;
  for (Candidate& candidate : selection.candidates) {
    watcher({.stage = candidate.name + ", averaging", .best = candidate.learned.value()});
    // Sigma points of a candidate that average() would leave out are not worth their inference.
    const bool matters = candidate.probability * share >= negligible_weight;
    found.push_back(
        finding_of(std::move(candidate), data, matters ? options.average : Average::models));
  }
  std::ranges::move(found, std::back_inserter(task.findings));
}

// More classes than this are asked about one by one unless told otherwise: the integrals over the
// other classes are tested up to here, and memory grows with the number of classes.
constexpr std::size_t most_joint_classes = 30;
constexpr double most_joint_bytes = 2e9;  // whatever is free: the answer must not depend on it

// More classes than this are compared by class only if asked for: of three, sites are full and the
// evidence nearly right (docs/math/multiclass.md), and C (C - 1) shares are few.
constexpr std::size_t most_classes_by_class = 3;

// Where mostly labels of one class are trusted, few of those in doubt are left of it, as if it were
// recorded as another class most of the time: rates by class would learn that.  Up to here, the
// smallest over the largest share in doubt of a class, they are off by a factor of two at most.
constexpr double most_uneven_trust = 0.5;

bool is_trust_even(const Prepared& prepared) {
  if (prepared.trusted.empty()) return true;
  const std::size_t classes = prepared.labels.classes.size();
  std::vector<double> all(classes), in_doubt(classes);
  for (std::size_t i = 0; i < prepared.rows.size(); ++i) {
    const int code = prepared.labels.codes[static_cast<std::size_t>(prepared.rows[i])];
    all[static_cast<std::size_t>(code)] += 1.0;
    in_doubt[static_cast<std::size_t>(code)] += prepared.trusted[i] ? 0.0 : 1.0;
  }
  for (std::size_t c = 0; c < classes; ++c) in_doubt[c] /= std::max(all[c], 1.0);
  return std::ranges::min(in_doubt) >= most_uneven_trust * std::ranges::max(in_doubt);
}

void check(const FitOptions& options, const Prepared& prepared) {
  check_non_negative("restarts", options.restarts);
  if (options.rate) check_interval("rate", *options.rate, 0.0, 0.5);
  const bool has_errors = std::ranges::any_of(label_views(prepared, options),
                                              [](LabelErrors e) { return e != LabelErrors::none; });
  if (has_errors && !options.learn_parameters && !options.rate) {
    throw InvalidInput(
        "rate is not known, and nothing is learned: label errors need one of the two");
  }
}

}  // namespace

std::vector<LabelErrors> label_views(const Prepared& prepared, const FitOptions& options) {
  if (!options.errors.empty()) return options.errors;
  const std::vector<bool>& trusted = prepared.trusted;
  const bool all_trusted = !trusted.empty() && std::ranges::all_of(trusted, std::identity{});
  if (all_trusted) return {LabelErrors::none};
  const std::size_t classes = prepared.labels.classes.size();
  const bool by_class =
      classes == 2 || (classes <= most_classes_by_class && is_joint(prepared, options));
  if (!by_class || options.rate || !is_trust_even(prepared)) {
    return {LabelErrors::none, LabelErrors::uniform};
  }
  return {all_label_errors.begin(), all_label_errors.end()};
}

std::string why_not_joint(const Prepared& prepared, const FitOptions& options) {
  if ((prepared.weight.array() < 1.0).any()) return "rows have weights below 1";
  if (!std::holds_alternative<Ep>(options.inference)) return "inference is not ep";
  if (options.rate &&
      std::ranges::find(options.errors, LabelErrors::by_class) != options.errors.end()) {
    return "label errors are by class, at a rate that is known";
  }
  if (options.regular && !std::holds_alternative<Probit>(*options.regular)) {
    return "the likelihood is not probit";
  }
  return "";
}

std::string why_not_automatically(const Prepared& prepared, const FitOptions& options) {
  std::string impossible = why_not_joint(prepared, options);
  if (!impossible.empty()) return impossible;
  if (prepared.labels.classes.size() > most_joint_classes) {
    return fmt::format("there are more than {}", most_joint_classes);
  }
  FitOptions joint = options;
  joint.multiclass = Multiclass::joint;
  const double bytes = cost_of(fit_size(prepared, joint), 0.0).bytes;
  if (bytes <= most_joint_bytes) return "";
  return fmt::format("one model of all of them takes {:.1f} GB of memory", bytes / 1e9);
}

bool is_joint(const Prepared& prepared, const FitOptions& options) {
  const std::size_t classes = prepared.labels.classes.size();
  if (classes == 2 || options.multiclass == Multiclass::one_vs_rest) return false;
  if (options.multiclass == Multiclass::joint) return true;
  return why_not_automatically(prepared, options).empty();
}

FitSize fit_size(const Prepared& prepared, const FitOptions& options) {
  FitSize work{.rows = static_cast<Index>(prepared.rows.size()),
               .columns = prepared.inputs.X.cols(),
               .questions = static_cast<Index>(prepared.labels.classes.size()),
               .errors = label_views(prepared, options),
               .average = options.average,
               .variational = std::holds_alternative<Variational>(options.inference)};
  if (is_joint(prepared, options)) work.joint_classes = std::exchange(work.questions, 1);
  if (work.questions == 2) work.questions = 1;
  if (prepared.weight.size() > 0) {
    work.light_share = (prepared.weight.array() < 1.0).cast<double>().mean();
  }
  for (const NamedCovariance& named :
       candidate_covariances(options.covariances, work.columns, prepared.inputs.discrete)) {
    work.parameters.push_back(log_parameter_count(named.covariance));
  }
  return work;
}

Cost estimate_cost(const Prepared& prepared, const FitOptions& options) {
  return cost_of(fit_size(prepared, options), seconds_per_cube(options.threads));
}

Classifier fit(const Prepared& prepared, const Origin& origin, const FitOptions& options) {
  check(options, prepared);
  Classifier classifier = everything_but_answers(prepared, origin, options);
  const std::vector<NamedCovariance> covariances =
      candidate_covariances(options.covariances, classifier.X.cols(), classifier.discrete);
  const auto by_weight =
      options.covariances.empty() ? CovarianceWeights::alike : CovarianceWeights::by_evidence;
  const std::string not_joint = why_not_joint(prepared, options);
  if (classifier.classes.size() > 2 && options.multiclass == Multiclass::joint &&
      !not_joint.empty()) {
    throw InvalidInput("more than two classes cannot be asked about jointly, since " + not_joint +
                       ": ask about each by itself (multiclass one-vs-rest)");
  }
  const std::vector<LabelErrors> views = label_views(prepared, options);
  std::vector<Task> tasks = tasks_of(classifier, is_joint(prepared, options));
  try {
    const double share =
        by_weight == CovarianceWeights::alike ? 1.0 / static_cast<double>(covariances.size()) : 1.0;
    for (const NamedCovariance& covariance : covariances) {
      for (Task& task : tasks)
        learn_covariance(covariance, share, views, classifier, options, task);
    }
  } catch (const Stopped&) {
    classifier.interrupted = true;
  }
  // The last class to be asked about has the fewest covariances, and no more are kept of any.
  const std::size_t done = tasks.back().findings.size();
  if (done == 0) throw Cancelled();
  for (Task& task : tasks) {
    task.findings.erase(task.findings.begin() + static_cast<std::ptrdiff_t>(done),
                        task.findings.end());
    Question question =
        answer(std::move(task.findings), task.observations, options.average, by_weight);
    question.positive_class = task.positive_class;
    classifier.questions.push_back(std::move(question));
  }
  return classifier;
}

Classifier fit(const Table& table, const Schema& schema, const Prepared& prepared,
               const FitOptions& options) {
  return fit(prepared,
             {.label_name = table.name(schema.with_role(ColumnRole::label).value()),
              .source = file_name(table.source()),
              .data_hash = sha256({table.text()})},
             options);
}

}  // namespace candor
