// SPDX-License-Identifier: MIT
#include "ep_problem.hpp"
#include "kinds.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/learning/em_ep.hpp>
#include <candor/learning/learn.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace check_vectors {
namespace {

using candor::EmEp;
using candor::EmEpLearned;
using candor::EmEpStatus;
using candor::EmEpStep;
using candor::Ep;
using candor::Learned;
using candor::Model;
using candor::Observations;
using candor::ParameterChoice;
using candor::RateStep;
using candor::Threshold;

const std::string noise = "likelihood.noise_variance";

// A table, and the model that learning starts from: ε₀, v₂₀ and a covariance that is held.
struct LearningProblem {
  candor::Matrix X;
  Observations observations;
  Hyperparameters hyp;
  double eps = 0.0;

  [[nodiscard]] Model model() const {
    return {hyp.covariance,
            Threshold{.flip_probability = eps, .noise_variance = hyp.noise_variance},
            Ep{.tolerance = ep_tolerance}};
  }
  // The noise in the covariance, and a step for a likelihood.
  [[nodiscard]] Model papers_model() const {
    return {hyp.with_noise(), Threshold{.flip_probability = eps, .noise_variance = 0.0},
            Ep{.tolerance = ep_tolerance}};
  }
};

LearningProblem read_learning_problem(const Problem& problem) {
  LearningProblem data{
      .X = problem.X(), .observations = {.y = problem.labels()}, .hyp = {}, .eps = 0.0};
  data.hyp = read_hyperparameters(problem["hyp"], data.X.cols());
  data.hyp.noise_variance = problem["v20"].number();
  if (!(data.hyp.noise_variance > 0.0)) problem["v20"].refuse("greater than 0");
  data.eps = problem["eps0"].number();
  if (!(data.eps > 0.0 && data.eps < 0.5)) problem["eps0"].refuse("between 0 and 0.5");
  return data;
}

// Every parameter of the covariance but the last `free` ones, and those named in `others`.
ParameterChoice hold_covariance(const Model& model, std::vector<std::string> others,
                                std::size_t free = 0) {
  std::vector<std::string> names = parameter_names(model.covariance);
  names.resize(names.size() - free);
  for (const std::string& name : names) others.push_back("covariance." + name);
  return {.held = std::move(others)};
}

std::map<std::string, Quantity> step_quantities(const EmEpStep& step, double v2_before) {
  const double v2 = v2_before * std::exp(step.summit.theta.value[0] - step.theta.value[0]);
  return {{"log_evidence_at_start", step.approximation.log_evidence},
          {"posterior_mean_h", step.latent_mean},
          {"posterior_var_A_ii", step.latent_variance},
          {"omega", step.omega},
          {"epsilon_star", step.published_rate},
          {"F_epsilon_at_star", candor::rate_bound(step.omega, step.published_rate)},
          {"flip_probability_tilted", step.approximation.p_wrong},
          {"epsilon_tilted", step.tilted_rate},
          {"lower_bound_cov_at_start", step.bound->value},
          {"d_lower_bound_dlog_v2", step.bound->gradient[0]},
          {"v2_argmax_lower_bound", v2},
          {"lower_bound_cov_at_argmax", step.summit.value}};
}

void compare(Report& report, const Field& field, const Node& want, const Quantity& got) {
  std::visit([&](const auto& value) { report.compare(field, want, value); }, got);
}

}  // namespace

// Once with the noise in the likelihood, once in the covariance, as the papers have it.
void check_em_ep_step(Case& c) {
  const LearningProblem data = read_learning_problem(c.problem);
  const candor::TrainingSet table{data.X, data.observations};
  // v₂ to 1e-6 of itself: F bends by some nats per unit of log v₂.
  const candor::Ascent tight{.tolerance = 1e-13, .flat = 1e-6};
  const EmEpStep step = em_ep_step(data.model(), table,
                                   {.choice = hold_covariance(data.model(), {}), .m_step = tight});
  const EmEpStep papers =
      em_ep_step(data.papers_model(), table,
                 {.choice = hold_covariance(data.papers_model(), {}, 1), .m_step = tight});
  for (const EmEpStep* s : {&step, &papers}) {
    const auto& outcome = s->approximation.outcome;
    c.report.require("ep converged", outcome.status == candor::Status::converged,
                     fmt::format("{} sweeps", outcome.sweeps));
    if (!s->bound) throw candor::NumericalError("the covariance has no Cholesky factor");
  }
  const auto quantities = step_quantities(step, data.hyp.noise_variance);
  const auto papers_quantities = step_quantities(papers, data.hyp.noise_variance);
  check_fields(c, [&](const Field& field, const Node& want) {
    const auto found = quantities.find(field.back());
    if (found == quantities.end()) return false;
    compare(c.report, field, want, found->second);
    compare(c.report, {"noise_in_covariance", field.back()}, want,
            papers_quantities.at(field.back()));
    return true;
  });
}

namespace {

// What every way of learning ends with.
struct Answer {
  double eps, v2, log_evidence;
};

Answer by_em_ep(Case& c, const LearningProblem& data, RateStep rate_step) {
  // The fixed point is a few times the tolerance away; the file allows 1e-5.
  const EmEp options{.rate_step = rate_step,
                     .choice = hold_covariance(data.model(), {noise}),
                     .tolerance = 1e-9,
                     .max_steps = 2000};
  const EmEpLearned learned = learn_by_em_ep(data.model(), {data.X, data.observations}, options);
  c.report.require(fmt::format("em-ep, {} rate", name_of(rate_step)),
                   learned.status == EmEpStatus::converged,
                   fmt::format("{}, {} steps, {} sweeps", name_of(learned.status), learned.steps,
                               learned.sweeps));
  const auto& likelihood = std::get<Threshold>(learned.model.likelihood);
  return {likelihood.flip_probability, likelihood.noise_variance, learned.log_evidence};
}

Answer by_evidence(Case& c, const std::string& what, const LearningProblem& data,
                   const Model& model, std::vector<std::string> held) {
  const candor::Learning options{.choice = hold_covariance(model, std::move(held)),
                                 .use_prior = false,
                                 .spread_starts = 0,
                                 .ascent = {.tolerance = 1e-10, .flat = 1e-4}};
  const Learned learned = learn(model, {data.X, data.observations}, options);
  c.report.require(fmt::format("learn, {}", what),
                   learned.status == candor::AscentStatus::converged,
                   fmt::format("{}, {} evaluations, {} sweeps", name_of(learned.status),
                               learned.evaluations, learned.sweeps));
  const auto& likelihood = std::get<Threshold>(learned.model.likelihood);
  return {likelihood.flip_probability, likelihood.noise_variance, learned.log_evidence};
}

std::string selected(const Answer& regular, const Answer& robust) {
  return robust.log_evidence > regular.log_evidence ? "robust" : "regular";
}

}  // namespace

void check_learning(Case& c) {
  const LearningProblem data = read_learning_problem(c.problem);
  LearningProblem no_flips = data;
  no_flips.eps = 0.0;
  const std::map<std::string, Answer> answers{
      {"regular", by_evidence(c, "regular", data, no_flips.model(), {})},
      {"emep_eps_fixed_point", by_em_ep(c, data, RateStep::published)},
      {"tilted_eps_fixed_point", by_em_ep(c, data, RateStep::tilted)},
      {"ml2_eps", by_evidence(c, "eps", data, data.model(), {noise})},
      {"ml2_joint", by_evidence(c, "eps and v2", data, data.model(), {})}};
  const std::map<std::string, std::string> selections{
      {"selected_regular_vs_emep",
       selected(answers.at("regular"), answers.at("emep_eps_fixed_point"))},
      {"selected_regular_vs_ml2_joint", selected(answers.at("regular"), answers.at("ml2_joint"))}};

  check_fields(c, [&](const Field& field, const Node& want) {
    if (const auto choice = selections.find(field.front()); choice != selections.end()) {
      c.report.require(field.front(), choice->second == want.text(), choice->second);
      return true;
    }
    const auto found = answers.find(field.front());
    if (found == answers.end()) return false;
    const auto& [eps, v2, log_evidence] = found->second;
    const std::map<std::string, double> numbers{
        {"eps", eps}, {"v2", v2}, {"log_evidence", log_evidence}};
    if (!numbers.contains(field.back())) return false;
    c.report.compare(field, want, numbers.at(field.back()));
    return true;
  });
}

}  // namespace check_vectors
