// SPDX-License-Identifier: MIT
#include "methods.hpp"

#include "bench/cost.hpp"
#include "softmax_classifier.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/covariance/text.hpp>
#include <candor/inference/predict.hpp>
#include <candor/inference/predict_classes.hpp>
#include <candor/inference/softmax_predict.hpp>
#include <candor/learning/learn.hpp>
#include <candor/model/classifier.hpp>

#include <algorithm>
#include <cmath>

namespace candor::experiments {
namespace {

using nlohmann::json;

constexpr double first_rate = 0.02, steep_rate = 0.1, steeper = 10.0;

Covariance first_covariance(const Matrix& X) {
  const double typical = std::sqrt(static_cast<double>(X.cols()));
  return 4.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, typical)}) +
         Constant{.variance = 1.0};
}

Covariance with_larger_variances(const Covariance& covariance, double factor) {
  const auto names = parameter_names(covariance);
  Vector logs = log_parameters(covariance);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].ends_with("variance")) logs[static_cast<Index>(i)] += std::log(factor);
  }
  return with_log_parameters(covariance, logs);
}

Learned learn_regular(const TrainingSet& data) {
  return learn({first_covariance(data.X), Threshold{}, Ep{}}, data);
}

bool has_converged(const Learned& learned) {
  return learned.approximation.outcome.status == Status::converged;
}

// From the regular optimum with room for a few errors, and from a steeper boundary with more; the
// regular optimum itself where neither is better.
Learned learn_robust(const TrainingSet& data, const Learned& regular) {
  const Covariance& known = regular.model.covariance;
  Learning learning{.spread_starts = 0};
  learning.more_starts = {
      {with_larger_variances(known, steeper), Threshold{.flip_probability = steep_rate}, Ep{}}};
  learning.first_sites = Sites{regular.approximation.site_tau, regular.approximation.site_nu};
  Learned robust = learn({known, Threshold{.flip_probability = first_rate}, Ep{}}, data, learning);
  const bool is_better = has_converged(robust) == has_converged(regular)
                             ? robust.value() >= regular.value()
                             : has_converged(robust);
  return is_better ? robust : regular;
}

double rate_of(const Learned& learned) {
  return std::get<Threshold>(learned.model.likelihood).flip_probability;
}

Answer by_softmax(const Task& task) {
  const LearnedSoftmax learned =
      learn_softmax(first_covariance(task.X), task.X, task.labels, task.classes);
  const SoftmaxPrediction prediction =
      predict(learned.approximation, {learned.covariance}, task.X, task.X_test);
  return {"softmax",
          prediction.probability,
          {{"converged", learned.status == AscentStatus::converged &&
                             learned.approximation.outcome.status == Status::converged},
           {"log_evidence", learned.approximation.log_evidence},
           {"covariance", to_text(learned.covariance)}}};
}

Answer joint_answer(std::string method, const Task& task, const Learned& learned) {
  const ClassPrediction prediction =
      predict_classes(learned.approximation, {learned.model.covariance},
                      robust_max_of(learned.model.likelihood, task.classes), task.X, task.X_test);
  return {std::move(method),
          prediction.clean,
          {{"converged", learned.status == AscentStatus::converged && has_converged(learned)},
           {"log_evidence", learned.log_evidence},
           {"learned_rate", rate_of(learned)},
           {"covariance", to_text(learned.model.covariance)}}};
}

// ε of all classes together: a wrong label is wrong in two questions.
Answer normalised(std::string method, const Task& task, const std::vector<Learned>& questions) {
  Matrix yes(task.X_test.rows(), task.classes);
  double rate = 0.0;
  bool converged = true;
  for (Index c = 0; c < task.classes; ++c) {
    const Learned& learned = questions[static_cast<std::size_t>(c)];
    yes.col(c) = predict(learned.approximation, learned.model.covariance, learned.model.likelihood,
                         task.X, task.X_test)
                     .p_clean;
    rate += 0.5 * rate_of(learned);
    converged = converged && learned.status == AscentStatus::converged && has_converged(learned);
  }
  for (Index i = 0; i < yes.rows(); ++i) yes.row(i) = exactly_one(yes.row(i));
  return {std::move(method), yes, {{"converged", converged}, {"learned_rate", rate}}};
}

class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& methods) : methods_(methods) {}
  [[nodiscard]] bool operator()(const std::string& method) const {
    return std::ranges::find(methods_, method) != methods_.end();
  }

 private:
  const std::vector<std::string>& methods_;
};

void answer_jointly(const Task& task, const Wanted& wanted, std::vector<Answer>& answers) {
  const Observations observations{
      .y = Eigen::Map<const Eigen::VectorXi>(task.labels.data(), task.X.rows()).cast<double>(),
      .classes = task.classes};
  const TrainingSet data{task.X, observations, Threads{1}};
  const double start = bench::cpu_seconds();
  const Learned regular = learn_regular(data);
  if (wanted("regular")) {
    answers.push_back(joint_answer("regular", task, regular));
    answers.back().seconds = bench::cpu_seconds() - start;
  }
  if (!wanted("robust")) return;
  answers.push_back(joint_answer("robust", task, learn_robust(data, regular)));
  answers.back().seconds = bench::cpu_seconds() - start;
}

void answer_one_vs_rest(const Task& task, const Wanted& wanted, std::vector<Answer>& answers) {
  std::vector<Learned> regular, robust;
  double regular_seconds = 0.0, robust_seconds = 0.0;
  for (int c = 0; c < task.classes; ++c) {
    Observations observations{.y = Vector(task.X.rows())};
    for (Index i = 0; i < task.X.rows(); ++i) {
      observations.y[i] = task.labels[static_cast<std::size_t>(i)] == c ? 1.0 : -1.0;
    }
    const TrainingSet data{task.X, observations, Threads{1}};
    regular_seconds += bench::seconds_of([&] { regular.push_back(learn_regular(data)); });
    if (!wanted("one_vs_rest_robust")) continue;
    robust_seconds +=
        bench::seconds_of([&] { robust.push_back(learn_robust(data, regular.back())); });
  }
  if (wanted("one_vs_rest")) {
    answers.push_back(normalised("one_vs_rest", task, regular));
    answers.back().seconds = regular_seconds;
  }
  if (robust.empty()) return;
  answers.push_back(normalised("one_vs_rest_robust", task, robust));
  answers.back().seconds = regular_seconds + robust_seconds;
}

}  // namespace

std::vector<Answer> answers_to(const Task& task, const std::vector<std::string>& methods) {
  const Wanted wanted(methods);
  std::vector<Answer> answers;
  if (wanted("softmax")) {
    const double start = bench::cpu_seconds();
    answers.push_back(by_softmax(task));
    answers.back().seconds = bench::cpu_seconds() - start;
  }
  if (wanted("one_vs_rest") || wanted("one_vs_rest_robust")) {
    answer_one_vs_rest(task, wanted, answers);
  }
  if (wanted("regular") || wanted("robust")) answer_jointly(task, wanted, answers);
  return answers;
}

}  // namespace candor::experiments
