// SPDX-License-Identifier: MIT
#include <candor/learning/rate_posterior.hpp>

#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <numeric>
#include <vector>

namespace candor {
namespace {

constexpr double nearly_half = 0.49;

struct Node {
  double u;           // logit 2ε
  double log_height;  // F - F̂
  Vector p_wrong;
  Sites sites;
};

// Walks away from the top until the mass that is left cannot matter.
class Walk {
 public:
  Walk(const Learned& learned, const Mode& mode, Index rate, const TrainingSet& data,
       const std::function<bool()>& keep_going)
      : learned_(learned),
        mode_(mode),
        keep_going_(keep_going),
        rate_(rate),
        top_(learned.theta.value[mode.rates[static_cast<std::size_t>(rate)]]),
        objective_(learned.coordinates, learned.prior, data) {}

  std::vector<Node> nodes() {
    // From a rate that is nearly 0 the walk begins where half a label in the table would be wrong,
    // and from one that is nearly ½ a hundredth below: few steps take it up, and 25 down.
    const auto n = static_cast<double>(learned_.approximation.p_wrong.size());
    const double first =
        std::clamp(top_, logit_of_rate(std::min(0.25, 0.5 / n)), logit_of_rate(nearly_half));
    const Approximation& q = learned_.approximation;
    Node top{top_, 0.0, q.p_wrong, {q.site_tau, q.site_nu}};
    std::optional<Node> start;
    if (first != top_) start = visit(first, {top.sites, std::nullopt});
    std::deque<Node> found;
    found.push_back(start ? std::move(*start) : std::move(top));
    std::vector<double> cut_short;  // directions
    for (const double direction : {-1.0, 1.0}) {
      for (int k = 1; k <= most_steps; ++k) {
        const Node& from = direction < 0.0 ? found.front() : found.back();
        if (is_beyond(from.u + direction * step)) break;
        auto node = out_of_sight(from, direction, k);
        if (!node) node = visit(from.u + direction * step, beginnings(found, direction));
        if (!node) {
          cut_short.push_back(direction);
          break;
        }
        // A chord from the top, where F has no slope, says nothing of what is below.
        const bool flat = direction < 0.0 && from.u != top_ && change_to_zero(from, *node) < level;
        const bool done = flat || log_mass(*node) < log_mass(found[found.size() / 2]) - negligible;
        direction < 0.0 ? found.push_front(std::move(*node)) : found.push_back(std::move(*node));
        if (done) break;
      }
    }
    complete_ = std::ranges::none_of(
        cut_short, [&](double direction) { return share_beyond(found, direction) > matters; });
    return {found.begin(), found.end()};
  }

  // Whether both sides were walked as far as there is mass that matters.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const Objective& objective() const { return objective_; }

 private:
  static constexpr double step = 0.4;  // in logit 2ε
  static constexpr int most_steps = 25;
  static constexpr Index most_patient_rows = 1000;  // where EP's slower rungs take seconds
  static constexpr double level = 0.02;      // nats: from here to ε = 0 nothing changes any more
  static constexpr double negligible = 7.0;  // nats below the middle
  // Share of the mass: what a walk that is cut short loses below is 0.05 nats of evidence.
  static constexpr double matters = 0.05;

  // Where EP may begin one step further on: on the line through the last two nodes, at the last one,
  // or from nothing.  The first takes the fewest sweeps; each arrives where others do not.
  using Beginnings = std::vector<std::optional<Sites>>;
  static Beginnings beginnings(const std::deque<Node>& nodes, double direction) {
    const std::size_t back = nodes.size() - 1;
    const Node& last = direction < 0.0 ? nodes.front() : nodes.back();
    if (back == 0) return {last.sites, std::nullopt};
    const Node& before = direction < 0.0 ? nodes[1] : nodes[back - 1];
    return {between(before.sites, last.sites, 2.0), last.sites, std::nullopt};
  }

  // The next node without a visit, where the parabola through the top and the last one falls so far
  // below what is negligible that only the curve's bend before it depends on how far.
  [[nodiscard]] std::optional<Node> out_of_sight(const Node& from, double direction, int k) const {
    if (k == 1 || std::abs(from.u - top_ - direction * step * (k - 1)) > 1e-9) return std::nullopt;
    const double height = from.log_height * k * k / ((k - 1.0) * (k - 1.0));
    if (height > -1.5 * negligible) return std::nullopt;
    return Node{from.u + direction * step, height, from.p_wrong, from.sites};
  }

  // How much the height would change from a node to ε = 0 on the straight line from the one before.
  static double change_to_zero(const Node& from, const Node& node) {
    const double rate = rate_of(node.u);
    return std::abs(node.log_height - from.log_height) * rate / (rate_of(from.u) - rate);
  }

  // Of the density in u.
  static double log_mass(const Node& node) {
    return node.log_height + std::log(rate_slope(node.u));
  }

  // How much of the mass lies beyond the last node on one side, if it goes on to fall as it did.
  static double share_beyond(const std::deque<Node>& nodes, double direction) {
    if (nodes.size() == 1) return 1.0;
    const Node& last = direction < 0.0 ? nodes.front() : nodes.back();
    const Node& before = direction < 0.0 ? nodes[1] : nodes[nodes.size() - 2];
    const double fall = (log_mass(before) - log_mass(last)) / std::abs(before.u - last.u);
    if (!(fall > 0.0)) return 1.0;
    double known = 0.0;
    for (const Node& node : nodes) known += step * std::exp(log_mass(node) - log_mass(last));
    return 1.0 / (1.0 + fall * known);
  }

  [[nodiscard]] bool is_beyond(double u) const {
    const ThetaBounds bounds = objective_.coordinates().bounds();
    const Index i = mode_.rates[static_cast<std::size_t>(rate_)];
    return u < bounds.lower.value[i] || u > bounds.upper.value[i];
  }

  // Empty where inference fails, or when told to stop.
  std::optional<Node> visit(double u, const Beginnings& beginnings) {
    const ThetaBounds bounds = objective_.coordinates().bounds();
    const Theta theta = bounds.project(mode_.along(learned_.theta, rate_, u - top_));
    for (const std::optional<Sites>& sites : beginnings) {
      if (keep_going_ && !keep_going_()) return std::nullopt;
      const auto e = objective_.evaluate(theta, sites, With::value);
      if (e) return Node{u, e->value() - learned_.value(), e->p_wrong, e->sites};
    }
    if (objective_.data().X.rows() > most_patient_rows) return std::nullopt;
    return patient_visit(u, theta, beginnings.front());
  }

  // With all of EP's ladder.
  std::optional<Node> patient_visit(double u, const Theta& theta,
                                    const std::optional<Sites>& sites) const {
    try {
      const Approximation q = objective_.infer_at(theta, sites);
      if (q.outcome.status != Status::converged) return std::nullopt;
      const double value = q.log_evidence + learned_.prior.at(theta).log_density;
      return Node{u, value - learned_.value(), q.p_wrong, {q.site_tau, q.site_nu}};
    } catch (const NumericalError&) {
      return std::nullopt;
    }
  }

  const Learned& learned_;
  const Mode& mode_;
  const std::function<bool()>& keep_going_;
  Index rate_;
  double top_;
  Objective objective_;
  bool complete_ = true;
};

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
  if (at_last > nearly_half && last > 0) {
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

Vector average_p_wrong(const std::vector<Node>& nodes, const FineGrid& fine, double mass) {
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
  Walk walk(learned, mode, rate, data, keep_going);
  const std::vector<Node> nodes = walk.nodes();
  RatePosterior posterior;
  posterior.name =
      learned.names[static_cast<std::size_t>(mode.rates[static_cast<std::size_t>(rate)])];
  posterior.evaluations = walk.objective().evaluations();
  posterior.sweeps = walk.objective().sweeps();
  posterior.complete = walk.complete();
  std::vector<double> u, heights;
  for (const Node& node : nodes) {
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
    const Node& node = nodes[static_cast<std::size_t>(k)];
    posterior.rate[k] = rate_of(node.u);
    posterior.log_density[k] = node.log_height - std::log(mass);
    posterior.wrong_mean[k] = node.p_wrong.sum();
    posterior.wrong_variance[k] = node.p_wrong.dot((1.0 - node.p_wrong.array()).matrix());
  }
  return posterior;
}

}  // namespace candor
