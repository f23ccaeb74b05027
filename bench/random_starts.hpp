// SPDX-License-Identifier: MIT
// The best that many climbs find: what learn() is measured against.
#pragma once

#include "dice.hpp"

#include <candor/learning/learn.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace candor::bench {

struct BestOfStarts {
  double value = -std::numeric_limits<double>::infinity();  // log evidence plus log prior
  Theta theta;
  int climbs = 0;       // that found a place to start
  int unconfirmed = 0;  // summits above `value` that inference from nothing does not repeat
};

// Uniform over three prior deviations to each side; rates log-uniform on 0.001 … 0.4.
inline Theta random_start(const Coordinates& coordinates, const Prior& prior, Dice& dice) {
  Theta theta = coordinates.theta();
  for (Index i = 0; i < theta.size(); ++i) {
    const bool is_rate =
        coordinates.parameters()[static_cast<std::size_t>(i)].coordinate == Coordinate::logit;
    if (is_rate) theta.value[i] = logit_of_rate(dice.log_uniform(1e-3, 0.4));
  }
  for (const PriorGroup& group : prior.groups()) {
    const double common = group.common_sd * dice.uniform(-3.0, 3.0);
    for (const Index i : group.members) {
      theta.value[i] = group.centre + common + group.spread * dice.uniform(-3.0, 3.0);
    }
  }
  return theta;
}

// One climb as learn() makes it: sites are handed on from its best point.
inline Summit climb_once(Objective& objective, const Theta& start, const Ascent& ascent) {
  double best = -std::numeric_limits<double>::infinity();
  std::optional<Sites> sites;
  const Landscape landscape = [&](const Theta& theta) -> std::optional<Height> {
    std::optional<Evaluation> e = objective.evaluate(theta, sites);
    if (!e) return std::nullopt;
    if (e->value() > best) {
      best = e->value();
      sites = std::move(e->sites);
    }
    return Height{e->value(), std::move(e->gradient)};
  };
  return climb(landscape, start, objective.coordinates().bounds(), ascent);
}

// `spread` is the prior that starts are drawn about, whatever the objective's own is.
inline BestOfStarts best_of_starts(Objective& objective, const Prior& spread, int starts,
                                   Dice& dice,
                                   const Ascent& ascent = {.tolerance = 1e-5, .flat = 1e-2}) {
  std::vector<Summit> summits;
  for (int k = 0; k < starts; ++k) {
    Summit s = climb_once(objective, random_start(objective.coordinates(), spread, dice), ascent);
    if (s.status != AscentStatus::no_start) summits.push_back(std::move(s));
  }
  std::ranges::sort(summits, std::greater{}, &Summit::value);
  BestOfStarts best{.theta = {}, .climbs = static_cast<int>(summits.size())};
  for (const Summit& s : summits) {
    const Approximation q = objective.infer_at(s.theta, std::nullopt);
    const double value = q.log_evidence + objective.prior().at(s.theta).log_density;
    const bool confirmed =
        q.outcome.status == Status::converged && std::abs(value - s.value) < 1e-3;
    if (confirmed) {
      best.value = value;
      best.theta = s.theta;
      break;
    }
    ++best.unconfirmed;
  }
  return best;
}

}  // namespace candor::bench
