// SPDX-License-Identifier: MIT
#include <candor/learning/select.hpp>

#include <candor/covariance/log_parameters.hpp>
#include <candor/learning/defaults.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace candor {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

Covariance with_larger_variances(const Covariance& covariance, double factor) {
  const std::vector<std::string> names = parameter_names(covariance);
  Vector logs = log_parameters(covariance);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].ends_with("variance")) logs[static_cast<Index>(i)] += std::log(factor);
  }
  return with_log_parameters(covariance, logs);
}

// Where a wider view starts: the narrower optimum with a little room for errors; and the same with
// a steeper boundary, since what looked like a soft one may have been wrong labels.
std::vector<Model> starts_from(const Learned& narrower, LabelErrors errors,
                               std::optional<double> known_rate) {
  std::vector<Model> starts;
  for (const auto& [usual_rate, steeper] : {std::pair{0.02, 1.0}, std::pair{0.1, 10.0}}) {
    const double rate = known_rate.value_or(usual_rate);
    // A rate of 0 would be held, and the wider view be no wider.
    const auto* robust = std::get_if<Threshold>(&narrower.model.likelihood);
    const bool has_rate = robust != nullptr && robust->flip_probability > 1e-3;
    starts.push_back(
        {with_larger_variances(narrower.model.covariance, steeper),
         has_rate ? widened(narrower.model.likelihood, errors) : likelihood_with(errors, rate),
         narrower.model.inference});
  }
  return starts;
}

// The narrower optimum as a member of the wider family, at exactly the same place.
struct Nested {
  Model model;
  Theta theta;
  double log_prior;  // in the wider family
};

Nested nested_in(const Learned& wider, const Learned& narrower, LabelErrors errors) {
  Model model{narrower.model.covariance, widened(narrower.model.likelihood, errors),
              narrower.model.inference};
  Theta theta = wider.coordinates.theta_of(model);
  // A rate of 0 costs nothing; the bound of θ that stands for it is not quite 0.
  const bool has_rate = !narrower.prior.rates().empty();
  const double log_prior = has_rate ? wider.prior.at(theta).log_density : narrower.log_prior;
  return {std::move(model), std::move(theta), log_prior};
}

Learned as_wider(const Learned& narrower, Nested nested, Learned wider, const TrainingSet& data) {
  wider.status = narrower.status;
  wider.model = std::move(nested.model);
  wider.theta = std::move(nested.theta);
  wider.log_evidence = narrower.log_evidence;
  wider.log_prior = nested.log_prior;
  wider.approximation = narrower.approximation;
  // The narrower gradient knows nothing of the rates that are new.
  Objective objective(wider.coordinates, wider.prior, data);
  const auto there = objective.evaluate(
      wider.theta, Sites{narrower.approximation.site_tau, narrower.approximation.site_nu});
  wider.gradient = there ? there->gradient : Vector();
  wider.evaluations += objective.evaluations();
  wider.sweeps += objective.sweeps();
  return wider;
}

void hold_rates(const Likelihood& likelihood, ParameterChoice& choice) {
  const auto names = parameter_names(likelihood);
  const auto domains = parameter_domains(likelihood);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (domains[i] != LikelihoodDomain::rate) continue;
    choice.held.push_back("likelihood." + std::string(names[i]));
  }
}

// A fixed point beats none: off it, EP's evidence means nothing.
bool is_sound(const Learned& learned) {
  return learned.approximation.outcome.status == Status::converged &&
         std::isfinite(learned.value());
}

Learned learn_view(const NamedCovariance& covariance, LabelErrors errors, const Candidate* narrower,
                   const TrainingSet& data, const Selecting& options, const Watcher& watcher) {
  Learning learning = options.learning;
  learning.prior_scale = covariance.prior;
  learning.watcher = watcher;
  constexpr double first_rate = 0.05;
  Model model{covariance.covariance, likelihood_with(errors, options.rate.value_or(first_rate)),
              options.inference};
  if (errors == LabelErrors::none) {
    // The same likelihood by the name that Laplace's method knows.
    if (std::holds_alternative<Laplace>(options.inference)) model.likelihood = Probit{};
    if (options.regular) model.likelihood = *options.regular;
  } else if (options.rate) {
    hold_rates(model.likelihood, learning.choice);
  }
  if (narrower == nullptr) return learn(model, data, learning);
  const std::vector<Model> starts = starts_from(narrower->learned, errors, options.rate);
  const Approximation& known = narrower->learned.approximation;
  learning.more_starts.assign(starts.begin() + 1, starts.end());
  learning.first_sites = Sites{known.site_tau, known.site_nu};
  learning.spread_starts = 0;
  Learned learned = learn(starts.front(), data, learning);
  if (options.rate) return learned;  // which is not 0: the narrower view is not among these
  const Learned& before = narrower->learned;
  Nested nested = nested_in(learned, before, errors);
  const bool is_better = is_sound(learned) == is_sound(before)
                             ? learned.value() >= before.log_evidence + nested.log_prior
                             : is_sound(learned);
  if (is_better) return learned;
  return as_wider(before, std::move(nested), std::move(learned), data);
}

// Where shares of more than two classes start: as the narrower view contradicts them, with a steeper
// boundary, since what looked like a soft one may have been wrong labels; and where they ended for
// another covariance or, unless that is known, all mistaken alike as in the narrower view, or a
// little.
std::vector<ConfusionStart> starts_by_class(const Learned& narrower,
                                            const Observations& observations,
                                            const std::optional<Matrix>& shares) {
  constexpr double least_rate = 0.02, steeper = 10.0;
  const auto* robust = std::get_if<Threshold>(&narrower.model.likelihood);
  const double rate = std::max(robust == nullptr ? 0.0 : robust->flip_probability, least_rate);
  const Model model{narrower.model.covariance, Threshold{.flip_probability = rate},
                    narrower.model.inference};
  const Model steep{with_larger_variances(model.covariance, steeper), model.likelihood,
                    model.inference};
  const Matrix contradicted =
      contradicted_shares(narrower.approximation, narrower.model, observations);
  if (shares) return {{steep, contradicted}, {steep, *shares}};
  return {{steep, contradicted}, {model, alike_shares(observations.classes, rate)}};
}

LearnedConfusion learn_by_class(const NamedCovariance& covariance, const Candidate* narrower,
                                const TrainingSet& data, const Selecting& options,
                                const Watcher& watcher) {
  Learning learning = options.learning;
  learning.prior_scale = covariance.prior;
  learning.watcher = watcher;
  if (narrower != nullptr) {
    return learn_confusion(starts_by_class(narrower->learned, data.observations, options.shares),
                           data, learning);
  }
  const Model model{covariance.covariance, likelihood_with(LabelErrors::none, 0.0),
                    options.inference};
  const Learned regular = learn(model, data, learning);
  LearnedConfusion found =
      learn_confusion(starts_by_class(regular, data.observations, options.shares), data, learning);
  found.learned.evaluations += regular.evaluations;
  found.learned.sweeps += regular.sweeps;
  return found;
}

std::string candidate_name(LabelErrors errors, const std::string& covariance) {
  return fmt::format("{} {}", name_of(errors), covariance);
}

std::size_t views_with_errors(const std::vector<Candidate>& candidates) {
  std::set<LabelErrors> views;
  for (const Candidate& c : candidates) {
    if (c.errors != LabelErrors::none) views.insert(c.errors);
  }
  return views.size();
}

// The same watcher, told which candidate is being learned.
Watcher for_candidate(const Watcher& watcher, const std::string& name) {
  if (!watcher) return {};
  return [&watcher, name](Progress progress) {
    progress.stage = name + ", " + progress.stage;
    return watcher(progress);
  };
}

Candidate integrated(const std::string& covariance, LabelErrors errors, Learned learned,
                     const TrainingSet& data, const Selecting& options, const Watcher& watcher) {
  const auto keep_going = [&, done = Progress{.stage = "how sure that is",
                                              .evaluations = learned.evaluations,
                                              .sweeps = learned.sweeps,
                                              .best = learned.value()}] {
    return !watcher || watcher(done);
  };
  Candidate c{.name = candidate_name(errors, covariance),
              .covariance = covariance,
              .errors = errors,
              .learned = std::move(learned),
              .mode = {},
              .rates = {},
              .confusion = {}};
  c.sweeps = c.learned.sweeps;
  const bool has_prior = options.learning.use_prior;
  if (options.curvature || has_prior || errors != LabelErrors::none) {
    c.mode = mode_of(c.learned, data, keep_going);
  }
  c.sweeps += c.mode.sweeps;
  c.log_integrated = has_prior ? c.learned.value() + c.mode.log_volume : c.learned.log_evidence;
  for (Index k = 0; k < static_cast<Index>(c.mode.rates.size()); ++k) {
    c.rates.push_back(rate_posterior(c.learned, c.mode, k, data, keep_going));
    c.sweeps += c.rates.back().sweeps;
    c.log_integrated += c.rates.back().log_mass;
  }
  if (has_prior && c.rates.size() == 2) {
    c.log_integrated += log_correction_for_both(c.rates[0], c.rates[1]);
  }
  return c;
}

Candidate integrated_by_class(const std::string& covariance, LearnedConfusion found,
                              const TrainingSet& data, const Selecting& options,
                              const Watcher& watcher) {
  const Observations observations = data.observations.confused(found.confusion.share);
  Candidate c = integrated(covariance, LabelErrors::by_class, std::move(found.learned),
                           {data.X, observations, data.threads}, options, watcher);
  c.log_integrated += found.confusion.log_mass;
  c.confusion = std::move(found.confusion);
  return c;
}

}  // namespace

bool Candidate::converged() const {
  return learned.status == AscentStatus::converged &&
         learned.approximation.outcome.status == Status::converged &&
         std::ranges::all_of(rates, &RatePosterior::complete) && (!confusion || confusion->settled);
}

// What each rate's spread adds to the mode, one at a time.
Vector Candidate::p_wrong() const {
  const Vector& at_mode = learned.approximation.p_wrong;
  Vector sum = at_mode;
  for (const RatePosterior& rate : rates) {
    if (rate.p_wrong.size() > 0) sum += rate.p_wrong - at_mode;
  }
  return sum.cwiseMax(0.0).cwiseMin(1.0);
}

double Selection::p_label_errors() const {
  double p = 0.0;
  for (const Candidate& c : candidates) p += c.errors == LabelErrors::none ? 0.0 : c.probability;
  return p;
}

double Selection::margin() const {
  const auto log_total = [&](bool with_errors) {
    std::vector<double> heights;
    for (const Candidate& c : candidates) {
      const bool counts = (c.errors != LabelErrors::none) == with_errors;
      if (counts && !std::isnan(c.log_integrated)) heights.push_back(c.log_integrated);
    }
    if (heights.empty()) return no_number;
    const double top = std::ranges::max(heights);
    double sum = 0.0;
    for (const double height : heights) sum += std::exp(height - top);
    return top + std::log(sum);
  };
  const auto views = static_cast<double>(views_with_errors(candidates));
  return log_total(true) - std::log(views) - log_total(false);
}

std::string strength_of(double nats) {
  const double size = std::abs(nats);
  if (size < 1.0) return "no more than a hint";
  if (size < 3.0) return "some evidence";
  if (size < 5.0) return "strong evidence";
  return "very strong evidence";
}

std::string odds_of(double nats) {
  if (std::abs(nats) >= 13.0) return "";
  const double odds = std::exp(std::abs(nats));
  const double last = std::pow(10.0, std::max(0.0, std::floor(std::log10(odds)) - 1.0));
  return fmt::format(", {:.0f} to 1", last * std::round(odds / last));
}

std::string Selection::verdict() const {
  const double nats = margin();
  if (std::isnan(nats)) return "Only one view of the labels was tried.";
  const std::string odds = odds_of(nats);
  if (std::abs(nats) < 1.0) {
    return fmt::format("The data do not tell whether labels are wrong ({:+.1f} nats{}).", nats,
                       odds);
  }
  if (nats < 0.0) {
    return fmt::format("The labels look clean: {} against label errors ({:.1f} nats{}).",
                       strength_of(nats), -nats, odds);
  }
  return fmt::format("Some labels look wrong: {} for label errors ({:.1f} nats{}).",
                     strength_of(nats), nats, odds);
}

Selection selection_of(std::vector<Candidate> candidates) {
  Selection selection{std::move(candidates)};
  double top = -std::numeric_limits<double>::infinity(), total = 0.0;
  for (std::size_t k = 0; k < selection.candidates.size(); ++k) {
    if (selection.candidates[k].log_integrated > top) selection.best = k;
    top = std::max(top, selection.candidates[k].log_integrated);
  }
  const auto views = static_cast<double>(views_with_errors(selection.candidates));
  for (Candidate& c : selection.candidates) {
    const double prior = c.errors == LabelErrors::none ? 1.0 : prior_odds_of_errors / views;
    const double height = prior * std::exp(c.log_integrated - top);
    total += c.probability = std::isnan(height) ? 0.0 : height;
  }
  if (total == 0.0) selection.candidates[selection.best].probability = total = 1.0;
  for (Candidate& c : selection.candidates) c.probability /= total;
  return selection;
}

Selection select_model(const TrainingSet& data, const Selecting& options) {
  const std::vector<NamedCovariance> covariances =
      options.covariances.empty() ? default_covariances(data.X.cols()) : options.covariances;
  std::vector<LabelErrors> views = options.errors;
  std::ranges::sort(views);
  std::vector<Candidate> candidates;
  // Reserved, so that a narrower model stays where it is.
  candidates.reserve(covariances.size() * views.size());
  for (const NamedCovariance& covariance : covariances) {
    const Candidate* narrower = nullptr;
    for (const LabelErrors errors : views) {
      const Watcher watcher =
          for_candidate(options.learning.watcher, candidate_name(errors, covariance.name));
      if (errors == LabelErrors::by_class && data.observations.classes > 2) {
        candidates.push_back(integrated_by_class(
            covariance.name, learn_by_class(covariance, narrower, data, options, watcher), data,
            options, watcher));
      } else {
        Learned learned = learn_view(covariance, errors, narrower, data, options, watcher);
        candidates.push_back(
            integrated(covariance.name, errors, std::move(learned), data, options, watcher));
      }
      narrower = &candidates.back();
      candidates.back().learned.approximation.class_posterior.reset();
    }
  }
  return selection_of(std::move(candidates));
}

}  // namespace candor
