// SPDX-License-Identifier: MIT
#include <candor/learning/rate_walk.hpp>

#include <candor/inference/class_posterior.hpp>
#include <candor/learning/objective.hpp>
#include <candor/linalg/errors.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

namespace candor {
namespace {

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

  RateWalk walk() {
    // From a rate that is nearly 0 the walk begins where half a label in the table would be wrong,
    // and from one that is nearly ½ a hundredth below: few steps take it up, and 25 down.
    const auto n = static_cast<double>(learned_.approximation.p_wrong.size());
    const double first = std::clamp(top_, logit_of_rate(std::min(0.25, 0.5 / n)),
                                    logit_of_rate(RateWalk::nearly_half));
    const Approximation& q = learned_.approximation;
    RateNode top{top_, 0.0, q.p_wrong, {q.site_tau, q.site_nu}};
    std::optional<RateNode> start;
    if (first != top_) start = visit(first, {top.sites, std::nullopt});
    std::deque<RateNode> found;
    found.push_back(start ? std::move(*start) : std::move(top));
    std::vector<double> cut_short;  // directions
    for (const double direction : {-1.0, 1.0}) {
      for (int k = 1; k <= most_steps; ++k) {
        const RateNode& from = direction < 0.0 ? found.front() : found.back();
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
    const bool complete = std::ranges::none_of(
        cut_short, [&](double direction) { return share_beyond(found, direction) > matters; });
    return {{found.begin(), found.end()}, complete, objective_.evaluations(), objective_.sweeps()};
  }

 private:
  static constexpr double step = 0.4;  // in logit 2ε
  static constexpr int most_steps = 25;
  static constexpr double level = 0.02;      // nats: from here to ε = 0 nothing changes any more
  static constexpr double negligible = 7.0;  // nats below the middle
  // Share of the mass: what a walk that is cut short loses below is 0.05 nats of evidence.
  static constexpr double matters = 0.05;

  // Where EP may begin one step further on: on the line through the last two nodes, at the last
  // one, or from nothing.  The first takes the fewest sweeps; each arrives where others do not.
  using Beginnings = std::vector<std::optional<Sites>>;
  static Beginnings beginnings(const std::deque<RateNode>& nodes, double direction) {
    const std::size_t back = nodes.size() - 1;
    const RateNode& last = direction < 0.0 ? nodes.front() : nodes.back();
    if (back == 0) return {last.sites, std::nullopt};
    const RateNode& before = direction < 0.0 ? nodes[1] : nodes[back - 1];
    return {between(before.sites, last.sites, 2.0), last.sites, std::nullopt};
  }

  // The next node without a visit, where the parabola through the top and the last one falls so far
  // below what is negligible that only the curve's bend before it depends on how far.
  [[nodiscard]] std::optional<RateNode> out_of_sight(const RateNode& from, double direction,
                                                     int k) const {
    if (k == 1 || std::abs(from.u - top_ - direction * step * (k - 1)) > 1e-9) return std::nullopt;
    const double height = from.log_height * k * k / ((k - 1.0) * (k - 1.0));
    if (height > -1.5 * negligible) return std::nullopt;
    return RateNode{from.u + direction * step, height, from.p_wrong, from.sites};
  }

  // How much the height would change from a node to ε = 0 on the straight line from the one before.
  static double change_to_zero(const RateNode& from, const RateNode& node) {
    const double rate = rate_of(node.u);
    return std::abs(node.log_height - from.log_height) * rate / (rate_of(from.u) - rate);
  }

  // Of the density in u.
  static double log_mass(const RateNode& node) {
    return node.log_height + std::log(rate_slope(node.u));
  }

  // How much of the mass lies beyond the last node on one side, if it goes on to fall as it did.
  static double share_beyond(const std::deque<RateNode>& nodes, double direction) {
    if (nodes.size() == 1) return 1.0;
    const RateNode& last = direction < 0.0 ? nodes.front() : nodes.back();
    const RateNode& before = direction < 0.0 ? nodes[1] : nodes[nodes.size() - 2];
    const double fall = (log_mass(before) - log_mass(last)) / std::abs(before.u - last.u);
    if (!(fall > 0.0)) return 1.0;
    double known = 0.0;
    for (const RateNode& node : nodes) known += step * std::exp(log_mass(node) - log_mass(last));
    return 1.0 / (1.0 + fall * known);
  }

  [[nodiscard]] bool is_beyond(double u) const {
    const ThetaBounds bounds = objective_.coordinates().bounds();
    const Index i = mode_.rates[static_cast<std::size_t>(rate_)];
    return u < bounds.lower.value[i] || u > bounds.upper.value[i];
  }

  // Empty where inference fails, or when told to stop.
  std::optional<RateNode> visit(double u, const Beginnings& from) {
    const ThetaBounds bounds = objective_.coordinates().bounds();
    const Theta theta = bounds.project(mode_.along(learned_.theta, rate_, u - top_));
    for (const std::optional<Sites>& sites : from) {
      if (keep_going_ && !keep_going_()) return std::nullopt;
      const auto e = objective_.evaluate(theta, sites, With::value);
      if (e) return RateNode{u, e->value() - learned_.value(), e->p_wrong, e->sites};
    }
    if (!is_small() || (keep_going_ && !keep_going_())) return std::nullopt;
    return patient_visit(u, theta, from.front());
  }

  // Whether EP's slower rungs take seconds: larger tables, and more classes, may take minutes.
  [[nodiscard]] bool is_small() const {
    constexpr double most_rows = 1000.0;
    const Index classes = objective_.data().observations.classes;
    return rows_of_two_classes(usual_form(classes), classes, objective_.data().X.rows()) <=
           most_rows;
  }

  // With all of EP's ladder.
  std::optional<RateNode> patient_visit(double u, const Theta& theta,
                                        const std::optional<Sites>& sites) const {
    try {
      const Approximation q = objective_.infer_at(theta, sites);
      if (q.outcome.status != Status::converged) return std::nullopt;
      const double value = q.log_evidence + learned_.prior.at(theta).log_density;
      return RateNode{u, value - learned_.value(), q.p_wrong, {q.site_tau, q.site_nu}};
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
};

}  // namespace

RateWalk walk_rate(const Learned& learned, const Mode& mode, Index rate, const TrainingSet& data,
                   const std::function<bool()>& keep_going) {
  return Walk(learned, mode, rate, data, keep_going).walk();
}

}  // namespace candor
