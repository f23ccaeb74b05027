// SPDX-License-Identifier: MIT
#include <candor/learning/em_ep.hpp>

#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace candor {
namespace {

void check_input(const Model& model, const TrainingSet& data, const EmEp& options) {
  if (!std::holds_alternative<Threshold>(model.likelihood)) {
    throw InvalidInput("likelihood is " + std::string(name_of(model.likelihood)) +
                       ": EM-EP learns a threshold");
  }
  if (data.observations.classes > 2) {
    throw InvalidInput("classes is " + std::to_string(data.observations.classes) +
                       ": EM-EP is for two");
  }
  const bool is_ep = std::holds_alternative<Ep>(model.inference) ||
                     std::holds_alternative<SequentialEp>(model.inference);
  if (!is_ep) {
    throw InvalidInput(
        "inference is " +
        std::visit([](const auto& engine) { return std::string(engine.name); }, model.inference) +
        ": the E step of EM-EP must be ep or sequential_ep");
  }
  // Equal rows have noise of their own each, so a row of q(f) cannot stand for several.
  for (Index i = 0; i < data.observations.weight.size(); ++i) {
    if (data.observations.weight[i] == 1.0) continue;
    throw InvalidInput("weight[" + std::to_string(i) + "] is " +
                       std::to_string(data.observations.weight[i]) + ": it must be 1 for EM-EP");
  }
  check_positive("tolerance", options.tolerance);
  check_non_negative("max_steps", options.max_steps);
}

double rate_in(const Model& model) {
  return std::get<Threshold>(model.likelihood).flip_probability;
}

void set_rate(Model& model, double rate) {
  std::get<Threshold>(model.likelihood).flip_probability = rate;
}

struct RateLimits {
  double low, high;
};

// Empty where ε is held.
std::optional<RateLimits> rate_limits(const Coordinates& all) {
  const ThetaBounds box = all.bounds();
  for (Index i = 0; i < all.size(); ++i) {
    if (all.parameters()[static_cast<std::size_t>(i)].coordinate != Coordinate::logit) continue;
    return RateLimits{rate_of(box.lower.value[i]), rate_of(box.upper.value[i])};
  }
  return std::nullopt;
}

ParameterChoice without_rate(ParameterChoice choice) {
  choice.held.emplace_back("likelihood.flip_probability");
  return choice;
}

// Over the rows whose rate is the model's.  Not a number where there is none.
double mean_over_free_rows(const Vector& values, const Observations& observations) {
  double sum = 0.0, rows = 0.0;
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isnan(observations.row(i).known_flip_rate)) continue;
    sum += values[i];
    rows += 1.0;
  }
  return sum / rows;
}

// M steps on one table, each handing on what it has learned of the curvature.
class MStep {
 public:
  using KeepGoing = std::function<bool()>;

  MStep(const Model& model, const TrainingSet& data, const EmEp& options)
      : data_(data),
        options_(options),
        limits_(rate_limits(Coordinates(model, options.choice))),
        coordinates_(model, without_rate(options.choice)) {}

  [[nodiscard]] EmEpStep from(const Model& model, Approximation q, const KeepGoing& keep_going) {
    NoisyPosterior noisy = noisy_posterior(q, model.likelihood);
    EmEpStep step{.approximation = std::move(q),
                  .latent_mean = noisy.h,
                  .latent_variance = noisy.A.diagonal(),
                  .omega = {},
                  .theta = coordinates_.theta_of(model),
                  .bound = {},
                  .summit = {},
                  .model = model};
    measure_rates(step);
    if (coordinates_.size() > 0) {
      climb_bound(step, EmBound(coordinates_, data_, std::move(noisy)), keep_going);
    }
    set_rate(step.model, next_rate(step, rate_in(model)));
    return step;
  }

  // Where a geometric series of steps like the last two would end: empty but for every third step,
  // and where the two do not shrink in the same direction.
  [[nodiscard]] std::optional<Model> leap(const EmEpStep& step) {
    constexpr double slowest = 0.999, longest = 20.0;
    if (!options_.accelerate || step.theta.size() == 0) return std::nullopt;
    const Vector last = std::exchange(last_step_, step.summit.theta.value - step.theta.value);
    if (++steps_since_leap_ < 3) return std::nullopt;
    Theta theta = step.summit.theta;
    for (Index i = 0; i < theta.size(); ++i) {
      const double shrinks_by = last_step_[i] / last[i];
      if (!(shrinks_by > 0.0 && shrinks_by < slowest)) continue;
      theta.value[i] =
          step.theta.value[i] + last_step_[i] * std::min(1.0 / (1.0 - shrinks_by), longest);
    }
    steps_since_leap_ = 0;
    Model model = coordinates_.model_at(coordinates_.bounds().project(theta));
    set_rate(model, rate_in(step.model));
    return model;
  }

 private:
  void measure_rates(EmEpStep& step) const {
    const Index n = step.latent_mean.size();
    step.omega.resize(n);
    Vector leaked(n);  // 1 - ω
    for (Index i = 0; i < n; ++i) {
      const double z =
          data_.observations.y[i] * step.latent_mean[i] / std::sqrt(step.latent_variance[i]);
      step.omega[i] = normal_cdf(z);
      leaked[i] = normal_cdf(-z);
    }
    step.published_rate = mean_over_free_rows(leaked, data_.observations);
    step.tilted_rate = mean_over_free_rows(step.approximation.p_wrong, data_.observations);
  }

  void climb_bound(EmEpStep& step, const EmBound& bound, const KeepGoing& keep_going) {
    const Landscape landscape = [&](const Theta& theta) {
      std::optional<Height> height = bound.at(theta);
      if (!step.bound) step.bound = height;
      return height;
    };
    step.summit = climb(landscape, step.theta, coordinates_.bounds(), options_.m_step, keep_going,
                        curvature_);
    curvature_ = step.summit.curvature;
    step.model = coordinates_.model_at(step.summit.theta);
  }

  [[nodiscard]] double next_rate(const EmEpStep& step, double rate) const {
    const double wanted =
        options_.rate_step == RateStep::published ? step.published_rate : step.tilted_rate;
    if (!limits_ || std::isnan(wanted)) return rate;
    return std::clamp(wanted, limits_->low, limits_->high);
  }

  const TrainingSet& data_;
  const EmEp& options_;
  std::optional<RateLimits> limits_;
  Coordinates coordinates_;  // v₂ and the covariance's parameters
  std::vector<CurvaturePair> curvature_;
  Vector last_step_;
  int steps_since_leap_ = 0;
};

// How far the step moved ε or the log of another parameter.
double change(const EmEpStep& step, double rate) {
  const double in_rate = std::abs(rate_in(step.model) - rate);
  if (step.theta.size() == 0) return in_rate;
  return std::max(in_rate, (step.summit.theta.value - step.theta.value).lpNorm<Eigen::Infinity>());
}

Approximation e_step(const Model& model, const TrainingSet& data,
                     const std::optional<Sites>& sites = std::nullopt) {
  return infer(model.inference, model.covariance, model.likelihood, data.X, data.observations,
               data.threads, sites);
}

bool converged(const Approximation& q) { return q.outcome.status == Status::converged; }

// Empty where EP does not converge or breaks down: an outcome here, as in learning/objective.cpp,
// for there is a good state to fall back on.
std::optional<Approximation> try_e_step(const Model& model, const TrainingSet& data,
                                        const std::optional<Sites>& sites, int& sweeps) {
  try {
    Approximation q = e_step(model, data, sites);
    sweeps += q.outcome.sweeps;
    if (converged(q)) return q;
  } catch (const NumericalError&) {
  }
  return std::nullopt;
}

class Loop {
 public:
  Loop(const Model& model, const TrainingSet& data, const EmEp& options, bool warm, int sweeps)
      : data_(data),
        options_(options),
        warm_(warm),
        m_step_(model, data, options),
        learned_(start(model, data, sweeps)) {}

  EmEpLearned run() {
    if (!converged(learned_.approximation)) {
      learned_.status = EmEpStatus::inference_failed;
      return std::move(learned_);
    }
    record();
    while (learned_.steps < options_.max_steps) {
      if (const std::optional<EmEpStatus> ended = advance()) {
        learned_.status = *ended;
        break;
      }
    }
    return std::move(learned_);
  }

 private:
  static EmEpLearned start(const Model& model, const TrainingSet& data, int sweeps) {
    Approximation q = e_step(model, data);
    const double log_evidence = q.log_evidence;
    sweeps += q.outcome.sweeps;
    return {.model = model,
            .log_evidence = log_evidence,
            .sweeps = sweeps,
            .trace = {},
            .approximation = std::move(q)};
  }

  // One M step and the E step after it.  Empty when there is more to do.
  std::optional<EmEpStatus> advance() {
    if (!keep_going()) return EmEpStatus::cancelled;
    EmEpStep step = m_step_.from(learned_.model, std::move(learned_.approximation),
                                 [this] { return keep_going(); });
    learned_.approximation = std::move(step.approximation);
    learned_.evaluations += step.summit.evaluations;
    if (step.summit.status == AscentStatus::cancelled) return EmEpStatus::cancelled;
    if (step.theta.size() > 0 && !step.bound) return EmEpStatus::bound_failed;
    ++learned_.steps;
    const std::optional<Model> leap = m_step_.leap(step);
    Model next = leap.value_or(step.model);
    std::optional<Approximation> q = next_posterior(next);
    if (!q && leap) q = next_posterior(next = step.model);
    if (!q) return EmEpStatus::inference_failed;
    const bool at_rest = change(step, rate_in(learned_.model)) <= options_.tolerance;
    learned_.model = std::move(next);
    learned_.log_evidence = q->log_evidence;
    learned_.approximation = std::move(*q);
    record();
    if (at_rest) return EmEpStatus::converged;
    return std::nullopt;
  }

  // Where a start at the sites of the last E step leads nowhere, a fresh one may.
  std::optional<Approximation> next_posterior(const Model& model) {
    std::optional<Approximation> q;
    if (warm_) {
      const Sites sites{learned_.approximation.site_tau, learned_.approximation.site_nu};
      q = try_e_step(model, data_, sites, learned_.sweeps);
    }
    return q ? std::move(q) : try_e_step(model, data_, std::nullopt, learned_.sweeps);
  }

  void record() {
    learned_.trace.push_back({rate_in(learned_.model), learned_.log_evidence});
    best_ = std::max(best_, learned_.log_evidence);
  }

  [[nodiscard]] bool keep_going() const {
    return !options_.watcher ||
           options_.watcher({"EM-EP", learned_.steps + 1, learned_.sweeps, best_});
  }

  const TrainingSet& data_;
  const EmEp& options_;
  bool warm_;
  MStep m_step_;
  EmEpLearned learned_;
  double best_ = -std::numeric_limits<double>::infinity();
};

// Puts the answer of a fresh start in place of one that began at other sites; false where the two
// differ.
bool confirm(EmEpLearned& learned, const TrainingSet& data) {
  constexpr double same_fixed_point = 1e-4;
  std::optional<Approximation> fresh =
      try_e_step(learned.model, data, std::nullopt, learned.sweeps);
  if (!fresh) return false;
  if (std::abs(fresh->log_evidence - learned.log_evidence) > same_fixed_point) return false;
  learned.log_evidence = fresh->log_evidence;
  learned.approximation = std::move(*fresh);
  return true;
}

}  // namespace

std::string_view name_of(RateStep step) {
  return step == RateStep::published ? "published" : "tilted";
}

std::string_view name_of(EmEpStatus status) {
  switch (status) {
    case EmEpStatus::converged:
      return "converged";
    case EmEpStatus::out_of_steps:
      return "out of steps";
    case EmEpStatus::inference_failed:
      return "inference failed";
    case EmEpStatus::bound_failed:
      return "bound failed";
    case EmEpStatus::cancelled:
      return "cancelled";
  }
  return "unknown";
}

double rate_bound(const Vector& omega, double rate) {
  return omega.sum() * std::log1p(-rate) + (1.0 - omega.array()).sum() * std::log(rate);
}

EmEpStep em_ep_step(const Model& model, const TrainingSet& data, const EmEp& options) {
  check_input(model, data, options);
  MStep m_step(model, data, options);
  return m_step.from(model, e_step(model, data), {});
}

EmEpLearned learn_by_em_ep(const Model& model, const TrainingSet& data, const EmEp& options) {
  check_input(model, data, options);
  EmEpLearned learned = Loop(model, data, options, true, 0).run();
  if (learned.steps == 0 || confirm(learned, data)) return learned;
  if (learned.status == EmEpStatus::cancelled) return learned;
  return Loop(model, data, options, false, learned.sweeps).run();
}

}  // namespace candor
