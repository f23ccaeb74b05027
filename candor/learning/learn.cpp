// SPDX-License-Identifier: MIT
#include <candor/learning/learn.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/learning/sample.hpp>
#include <candor/linalg/check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace candor {
namespace {

constexpr double no_value = -std::numeric_limits<double>::infinity();

struct Found {
  Summit summit;
  std::optional<Sites> sites;  // at the summit
};

// Asks the caller, and takes the first no for good.
class Permission {
 public:
  explicit Permission(const Watcher& watcher) : watcher_(watcher) {}

  [[nodiscard]] bool ask(const Progress& progress) {
    if (watcher_ && !refused_) refused_ = !watcher_(progress);
    return !refused_;
  }
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  const Watcher& watcher_;
  bool refused_ = false;
};

// Climbs on one table, with sites handed on from the best point of this climb.
class Search {
 public:
  Search(Objective objective, const Learning& options, Permission& permission, std::string stage)
      : objective_(std::move(objective)),
        options_(options),
        permission_(permission),
        stage_(std::move(stage)) {}

  Found climb_from(const Theta& start, double tolerance, bool warm,
                   std::optional<Sites> sites = std::nullopt,
                   const std::vector<CurvaturePair>& curvature = {}) {
    double best = no_value;
    const Landscape landscape = [&](const Theta& theta) -> std::optional<Height> {
      std::optional<Evaluation> e =
          objective_.evaluate(theta, warm ? sites : std::nullopt, With::gradient, ep_tolerance_);
      if (!e) return std::nullopt;
      if (e->value() > best) {
        best = e->value();
        sites = std::move(e->sites);
      }
      best_ = std::max(best_, best);
      return Height{e->value(), std::move(e->gradient)};
    };
    Ascent ascent = options_.ascent;
    ascent.tolerance = tolerance;
    Summit summit = climb(
        landscape, start, objective_.coordinates().bounds(), ascent, [&] { return keep_going(); },
        curvature);
    return {std::move(summit), std::move(sites)};
  }

  // Where inference breaks down, the lowest there is.
  [[nodiscard]] double value_at(const Theta& theta) {
    const std::optional<Evaluation> e =
        objective_.evaluate(theta, std::nullopt, With::value, ep_tolerance_);
    return e ? e->value() : no_value;
  }

  // From here on EP is followed closely enough for the last digits of a climb.
  void look_closer() { ep_tolerance_ = 1e-2 * search_tolerance; }

  [[nodiscard]] bool keep_going() {
    return permission_.ask({stage_, objective_.evaluations(), objective_.sweeps(), best_});
  }
  [[nodiscard]] Permission& permission() { return permission_; }
  [[nodiscard]] const Objective& objective() const { return objective_; }

 private:
  Objective objective_;
  const Learning& options_;
  Permission& permission_;
  std::string stage_;
  double best_ = no_value;
  double ep_tolerance_ = search_tolerance;
};

// The model as given, the ones the caller adds, then points about the prior, where lengthscale and
// amplitude are small or large together.
std::vector<Theta> starting_points(const Coordinates& coordinates, const TrainingSet& data,
                                   const Learning& options) {
  std::vector<Theta> starts{coordinates.theta()};
  for (const Model& model : options.more_starts) starts.push_back(coordinates.theta_of(model));
  const Prior prior =
      default_prior(coordinates, data.X, options.prior_scale, data.observations.weight);
  for (int k = 0; k < options.spread_starts; ++k) {
    const int round = k / 2;  // each round to both sides, half a deviation further out
    const double deviations = (k % 2 == 0 ? -1.0 : 1.0) * (1.0 + 0.5 * round);
    Theta theta = coordinates.theta();
    for (const PriorGroup& group : prior.groups()) {
      for (const Index i : group.members) {
        theta.value[i] = group.centre + deviations * group.common_sd;
      }
    }
    starts.push_back(theta);
  }
  return starts;
}

// Where the starts lead, found to a tenth of a nat or so; the most promising first.
std::vector<Found> compare_starts(Search& search, const std::vector<Theta>& starts,
                                  std::optional<Sites> first_sites, double tolerance) {
  std::vector<Found> all;
  for (const Theta& start : starts) {
    Found found = search.climb_from(start, tolerance, true, std::exchange(first_sites, {}));
    if (found.summit.status != AscentStatus::no_start) all.push_back(std::move(found));
    if (search.permission().refused()) break;
  }
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Found& found) { return found.summit.value; });
  return all;
}

struct Start {
  Theta theta;
  std::optional<Sites> sites;
  std::vector<CurvaturePair> curvature;
};

// What is known of the curvature on some rows, for others: the evidence is a sum over rows in all
// but name.
std::vector<CurvaturePair> for_rows(Index rows, std::vector<CurvaturePair> pairs, Index known_of) {
  const double copies = static_cast<double>(rows) / static_cast<double>(known_of);
  for (CurvaturePair& pair : pairs) pair.fall *= copies;
  return pairs;
}

// Laplace's evidence has several summits (a ring's: of short and of long lengthscales), whose order
// a sample can get wrong by tens of nats, if it has them all; that of EP has not shown any.
bool has_several_summits(const Search& full) {
  return std::holds_alternative<Laplace>(full.objective().coordinates().model().inference);
}

Index smallest_sample(const Search& full, const Learning& options) {
  const Index half = full.objective().data().X.rows() / 2;
  return has_several_summits(full) ? std::max(2 * options.sample_rows, half) : options.sample_rows;
}

// Which of the summits of a sample is the highest on the full table, or their number where the model
// as given is higher still.
std::size_t judged_by_all_rows(Search& full, const std::vector<Found>& summits,
                               const Theta& given) {
  if (!has_several_summits(full)) return 0;
  constexpr double same_summit = 0.3;  // in every parameter's logarithm, after a rough climb
  std::size_t best = summits.size();
  double top = full.value_at(given);
  for (std::size_t k = 0; k < summits.size(); ++k) {
    const auto near = [&](const Found& other) {
      const Vector apart = other.summit.theta.value - summits[k].summit.theta.value;
      return apart.lpNorm<Eigen::Infinity>() < same_summit;
    };
    const auto before = summits.begin() + static_cast<std::ptrdiff_t>(k);
    if (std::any_of(summits.begin(), before, near)) continue;
    const double value = full.value_at(summits[k].summit.theta);
    if (value <= top) continue;
    top = value;
    best = k;
  }
  return best;
}

// Where to begin on the full table, and what is known there.
//
// Many rows are learned from in steps.  The smallest sample shows, at an eighth of the cost or far
// less, which start leads highest, about where, and how the evidence bends; each larger one comes
// closer.
Start best_start(const std::vector<Theta>& starts, Search& full, const Learning& options) {
  constexpr double rough = 1e-2;
  const TrainingSet& data = full.objective().data();
  const Index n = data.X.rows();
  const Index smallest = smallest_sample(full, options);
  if (n < 2 * smallest) {
    if (starts.size() == 1) return {starts.front(), options.first_sites, {}};
    std::vector<Found> found = compare_starts(full, starts, options.first_sites, rough);
    if (found.empty()) return {starts.front(), {}, {}};
    Found& best = found.front();
    return {best.summit.theta, std::move(best.sites), std::move(best.summit.curvature)};
  }
  Start at{starts.front(), {}, {}};
  Index known_of = n;  // rows that its curvature stands for
  bool has_climbed = false;
  for (const Index rows : sample_sizes(n, smallest)) {
    const Sample sample = sample_rows(data.X, data.observations, rows);
    Search search({full.objective().coordinates(),
                   full.objective().prior(),
                   {sample.X, sample.observations, data.threads}},
                  options, full.permission(), fmt::format("a first look at {} rows", rows));
    if (!search.keep_going()) break;
    at.curvature = for_rows(rows, std::move(at.curvature), std::exchange(known_of, rows));
    Found found;
    if (has_climbed) {
      found = search.climb_from(at.theta, rough, true, {}, at.curvature);
      if (found.summit.status == AscentStatus::no_start) continue;
    } else {
      std::vector<Found> summits = compare_starts(search, starts, {}, rough);
      if (summits.empty()) continue;
      const std::size_t chosen = judged_by_all_rows(full, summits, starts.front());
      if (chosen == summits.size()) return {starts.front(), {}, {}};
      found = std::move(summits[chosen]);
    }
    at = {found.summit.theta, {}, std::move(found.summit.curvature)};
    has_climbed = true;
  }
  at.curvature = for_rows(n, std::move(at.curvature), known_of);
  return at;
}

// Climbs on the full table.  Where inference fails at the start, it may well succeed nearer to the
// model as given, and the climb then comes back with sites to start from.
Found climb_fully(Search& search, const Start& start, const Theta& given, double tolerance) {
  Found found = search.climb_from(start.theta, tolerance, true, start.sites, start.curvature);
  for (const double share : {1.0, 0.5, 0.25, 0.0}) {
    if (found.summit.status != AscentStatus::no_start || search.permission().refused()) break;
    if (share == 1.0 && !start.sites) continue;  // that was tried
    const Theta theta{given.value + share * (start.theta.value - given.value)};
    found = search.climb_from(theta, tolerance, true, std::nullopt, start.curvature);
  }
  // No uphill step: where EP's residual hides the slope, that is no top yet.
  if (found.summit.status == AscentStatus::stalled && !search.permission().refused()) {
    search.look_closer();
    Found closer =
        search.climb_from(found.summit.theta, tolerance, true, found.sites, found.summit.curvature);
    if (closer.summit.status != AscentStatus::no_start) found = std::move(closer);
  }
  return found;
}

struct Answer {
  Summit summit;
  Approximation approximation;
};

// The approximation at the summit, from nothing.  A warm start that led the climb to another fixed
// point must not decide: then the last part is climbed again without warm starts.
Answer settle(Search& search, Found found, double tolerance) {
  // Fixed points that matter differ by more; what search_tolerance leaves is less.
  constexpr double same_fixed_point = 1e-2;
  const Objective& objective = search.objective();
  Approximation q = objective.infer_at(found.summit.theta, found.sites);
  const double log_prior = objective.prior().at(found.summit.theta).log_density;
  const bool agrees = std::abs(q.log_evidence + log_prior - found.summit.value) <= same_fixed_point;
  // A search's EP gives up early: where it did so at the start, this one may have converged.
  if (found.summit.status == AscentStatus::no_start && !search.permission().refused() &&
      q.outcome.status == Status::converged) {
    Found begun =
        search.climb_from(found.summit.theta, tolerance, true, Sites{q.site_tau, q.site_nu});
    if (begun.summit.status != AscentStatus::no_start) {
      return settle(search, std::move(begun), tolerance);
    }
  }
  const bool has_climbed = found.summit.status == AscentStatus::converged ||
                           found.summit.status == AscentStatus::stalled;
  if (!has_climbed || agrees || search.permission().refused())
    return {std::move(found.summit), std::move(q)};
  Summit summit = search.climb_from(found.summit.theta, tolerance, false).summit;
  if (summit.status == AscentStatus::no_start) return {std::move(found.summit), std::move(q)};
  q = objective.infer_at(summit.theta, std::nullopt);
  return {std::move(summit), std::move(q)};
}

// Everything a caller can get wrong, before any O(n³) work.
void check_input(const Model& model, const TrainingSet& data, const Learning& options) {
  check_non_negative("spread_starts", options.spread_starts);
  check_positive("sample_rows", static_cast<double>(options.sample_rows));
  check(model.likelihood);
  check(data.observations, model.likelihood);
  check_same_size("rows of X", data.X.rows(), "labels", data.observations.size());
  static_cast<void>(Gram(model.covariance, data.X));
}

}  // namespace

Learned learn(const Model& model, const TrainingSet& data, const Learning& options) {
  check_input(model, data, options);
  const Coordinates coordinates(model, options.choice);
  const Prior prior = options.use_prior ? default_prior(coordinates, data.X, options.prior_scale,
                                                        data.observations.weight)
                                        : Prior();
  Permission permission(options.watcher);
  Search search(Objective(coordinates, prior, data), options, permission,
                "maximising the evidence");
  const std::vector<Theta> starts = starting_points(coordinates, data, options);
  const Start start = best_start(starts, search, options);
  Answer answer =
      settle(search, climb_fully(search, start, starts.front(), options.ascent.tolerance),
             options.ascent.tolerance);

  std::vector<std::string> names;
  for (const FreeParameter& p : coordinates.parameters()) names.push_back(p.name);
  const Objective& objective = search.objective();
  const Summit& summit = answer.summit;
  const double log_evidence = answer.approximation.log_evidence;
  const bool converged = answer.approximation.outcome.status == Status::converged;
  const int sweeps = objective.sweeps() + answer.approximation.outcome.sweeps;
  return {.status = summit.status,
          .model = coordinates.model_at(summit.theta),
          .theta = summit.theta,
          .log_evidence = log_evidence,
          .log_prior = prior.at(summit.theta).log_density,
          .gradient = converged ? objective.gradient_at(summit.theta, answer.approximation)
                                : summit.gradient,
          .starts = static_cast<int>(starts.size()),
          .evaluations = objective.evaluations(),
          .failures = objective.failures(),
          .sweeps = sweeps,
          .names = std::move(names),
          .coordinates = coordinates,
          .prior = prior,
          .approximation = std::move(answer.approximation)};
}

}  // namespace candor
