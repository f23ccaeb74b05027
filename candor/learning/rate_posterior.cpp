// SPDX-License-Identifier: MIT
#include <candor/learning/rate_posterior.hpp>

#include <candor/learning/rate_walk.hpp>
#include <candor/linalg/check.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace candor {
namespace {

// The cubic between two nodes at `share` of the way, with slopes from the neighbours on either
// side.
double interpolate(const std::vector<double>& f, std::size_t k, double share) {
  const auto slope = [&](std::size_t i) {
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, f.size() - 1);
    return (f[after] - f[before]) / static_cast<double>(after - before);
  };
  const double t = share, s = 1.0 - share;
  return s * s * ((1.0 + 2.0 * t) * f[k] + t * slope(k)) +
         t * t * ((1.0 + 2.0 * s) * f[k + 1] - s * slope(k + 1));
}

// A fine grid in ε between the nodes, on which log density is interpolated in logit 2ε.  Weights
// are masses.
struct FineGrid {
  std::vector<double> rate, log_density, weight;
  std::vector<double> node;  // position among the nodes; ε/ε₀ - 1, below 0, before the first
};

FineGrid refine(const std::vector<double>& u, const std::vector<double>& log_density) {
  constexpr int parts = 40;
  FineGrid fine;
  const auto add = [&](double rate, double width, double density, double node) {
    fine.rate.push_back(rate);
    fine.log_density.push_back(density);
    fine.weight.push_back(width * std::exp(density));
    fine.node.push_back(node);
  };
  // Below the first node the density goes on as the power of ε that it arrives with.
  const double power =
      u.size() > 1 ? std::max(0.0, (log_density[1] - log_density[0]) / (u[1] - u[0])) : 0.0;
  const double first = rate_of(u.front());
  for (int j = 0; j < parts; ++j) {
    const double share = (j + 0.5) / parts;
    add(share * first, first / parts, log_density.front() + power * std::log(share), share - 1.0);
  }
  for (std::size_t k = 0; k + 1 < u.size(); ++k) {
    for (int j = 0; j < parts; ++j) {
      const double share = (j + 0.5) / parts, width = (u[k + 1] - u[k]) / parts;
      const double at = u[k] + share * (u[k + 1] - u[k]);
      const double density = interpolate(log_density, k, share);
      add(rate_of(at), width * rate_slope(at), density, static_cast<double>(k) + share);
    }
  }
  // Above the last node, where the walk went that far, as the exponential of ε that it arrives with.
  const std::size_t last = u.size() - 1;
  const double at_last = rate_of(u[last]);
  if (at_last > RateWalk::nearly_half && last > 0) {
    const double slope =
        (log_density[last] - log_density[last - 1]) / (at_last - rate_of(u[last - 1]));
    const double width = (0.5 - at_last) / parts;
    for (int j = 0; j < parts; ++j) {
      const double beyond = (j + 0.5) * width;
      add(at_last + beyond, width, log_density[last] + slope * beyond, static_cast<double>(last));
    }
  }
  return fine;
}

FineGrid refine(const RatePosterior& p) {
  std::vector<double> u, density(p.log_density.begin(), p.log_density.end());
  for (const double rate : p.rate) u.push_back(logit_of_rate(rate));
  return refine(u, density);
}

// What two nodes contribute at a place of the fine grid: a straight line between them, and from
// ε = 0, where no label is wrong, to the first.
struct Line {
  Index from, to;
  double from_share, to_share;
};

Line line_at(double node, Index nodes) {
  if (node < 0.0) return {0, 0, 1.0 + node, 0.0};
  const auto k = std::min(static_cast<Index>(node), nodes - 1);
  const double share = node - static_cast<double>(k);
  return {k, std::min(k + 1, nodes - 1), 1.0 - share, share};
}

// What makes the prior's factor in F a density: 4(1 - 2ε), or each rate's part of 8(1 - ε₊ - ε₋);
// without a prior it is uniform.
double prior_constant(std::size_t rates) {
  if (rates == 0) return 2.0;
  return rates == 1 ? 4.0 : std::sqrt(8.0);
}

Vector average_p_wrong(const std::vector<RateNode>& nodes, const FineGrid& fine, double mass) {
  Vector node_weight = Vector::Zero(std::ssize(nodes));
  for (std::size_t i = 0; i < fine.rate.size(); ++i) {
    const Line line = line_at(fine.node[i], node_weight.size());
    node_weight[line.from] += fine.weight[i] * line.from_share;
    node_weight[line.to] += fine.weight[i] * line.to_share;
  }
  Vector sum = Vector::Zero(nodes.front().p_wrong.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    sum += node_weight[static_cast<Index>(k)] * nodes[k].p_wrong;
  }
  return sum / mass;
}

}  // namespace

Interval interval_of_count(double probability, double p_errors,
                           const std::function<double(double)>& quantile) {
  const auto of_all = [&](double share) {
    const double with_errors = (share - (1.0 - p_errors)) / p_errors;
    return with_errors > 0.0 ? std::max(0.0, quantile(with_errors)) : 0.0;
  };
  return {of_all(0.5 * (1.0 - probability)), of_all(0.5 * (1.0 + probability))};
}

Interval RatePosterior::interval(double probability) const {
  check_interval("probability", probability, 0.0, 1.0);
  const FineGrid fine = refine(*this);
  std::vector<std::size_t> order(fine.rate.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return fine.log_density[i]; });
  double total = 0.0, held = 0.0;
  for (const double w : fine.weight) total += w;
  Interval result{0.5, 0.0};
  for (const std::size_t i : order) {
    result.low = std::min(result.low, i == 0 ? 0.0 : fine.rate[i]);  // the first cell begins at 0
    result.high = std::max(result.high, fine.rate[i]);
    held += fine.weight[i];
    if (held >= probability * total) break;
  }
  return result;
}

Vector RatePosterior::equally_likely(Index count) const {
  check_positive("count", static_cast<double>(count));
  const FineGrid fine = refine(*this);  // ascending
  const double total = std::accumulate(fine.weight.begin(), fine.weight.end(), 0.0);
  Vector rates(count);
  std::size_t i = 0;
  double below = fine.weight[0];
  for (Index k = 0; k < count; ++k) {
    const double wanted = total * (static_cast<double>(k) + 0.5) / static_cast<double>(count);
    while (below < wanted && i + 1 < fine.weight.size()) below += fine.weight[++i];
    rates[k] = fine.rate[i];
  }
  return rates;
}

Interval RatePosterior::wrong_labels(double probability, double p_errors) const {
  check_interval("probability", probability, 0.0, 1.0);
  const FineGrid fine = refine(*this);
  // A mixture of normals, one for each ε, by its distribution function.
  const auto below = [&](double count) {
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < fine.rate.size(); ++i) {
      const auto [from, to, from_share, to_share] = line_at(fine.node[i], wrong_mean.size());
      const double expected = from_share * wrong_mean[from] + to_share * wrong_mean[to];
      const double variance = from_share * wrong_variance[from] + to_share * wrong_variance[to];
      const double z = (count - expected) / std::sqrt(std::max(variance, 1e-12));
      sum += fine.weight[i] * 0.5 * std::erfc(-z / std::numbers::sqrt2);
      total += fine.weight[i];
    }
    return sum / total;
  };
  return interval_of_count(probability, p_errors, [&](double q) {
    double low = -1.0, high = 2.0 * wrong_mean.maxCoeff() + 10.0;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (below(middle) < q ? low : high) = middle;
    }
    return 0.5 * (low + high);
  });
}

double log_correction_for_both(const RatePosterior& one, const RatePosterior& other) {
  constexpr Index points = 100;
  const Vector other_rates = other.equally_likely(points);
  double sum = 0.0;
  for (const double a : one.equally_likely(points)) {
    sum += ((1.0 - a - other_rates.array()) /
            ((1.0 - a - other.top) * (1.0 - one.top - other_rates.array())))
               .sum();
  }
  return std::log((1.0 - one.top - other.top) * sum / static_cast<double>(points * points));
}

RatePosterior rate_posterior(const Learned& learned, const Mode& mode, Index rate,
                             const TrainingSet& data, const std::function<bool()>& keep_going) {
  const RateWalk walk = walk_rate(learned, mode, rate, data, keep_going);
  const std::vector<RateNode>& nodes = walk.nodes;
  RatePosterior posterior;
  posterior.name =
      learned.names[static_cast<std::size_t>(mode.rates[static_cast<std::size_t>(rate)])];
  posterior.evaluations = walk.evaluations;
  posterior.sweeps = walk.sweeps;
  posterior.complete = walk.complete;
  std::vector<double> u, heights;
  for (const RateNode& node : nodes) {
    u.push_back(node.u);
    heights.push_back(node.log_height);
  }
  const FineGrid fine = refine(u, heights);
  double mass = 0.0, first_moment = 0.0;
  for (std::size_t i = 0; i < fine.rate.size(); ++i) {
    mass += fine.weight[i];
    first_moment += fine.weight[i] * fine.rate[i];
  }
  const auto count = static_cast<Index>(nodes.size());
  posterior.log_mass = std::log(prior_constant(learned.prior.rates().size()) * mass);
  posterior.top = rate_of(learned.theta.value[mode.rates[static_cast<std::size_t>(rate)]]);
  posterior.mean = first_moment / mass;
  posterior.p_wrong = average_p_wrong(nodes, fine, mass);
  posterior.rate.resize(count);
  posterior.log_density.resize(count);
  posterior.wrong_mean.resize(count);
  posterior.wrong_variance.resize(count);
  for (Index k = 0; k < count; ++k) {
    const RateNode& node = nodes[static_cast<std::size_t>(k)];
    posterior.rate[k] = rate_of(node.u);
    posterior.log_density[k] = node.log_height - std::log(mass);
    posterior.wrong_mean[k] = node.p_wrong.sum();
    posterior.wrong_variance[k] = node.p_wrong.dot((1.0 - node.p_wrong.array()).matrix());
  }
  return posterior;
}

}  // namespace candor
