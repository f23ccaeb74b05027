// SPDX-License-Identifier: MIT
#include <candor/learning/ascent.hpp>

#include <candor/linalg/check.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace candor {
namespace {

// Pairs of steps and the fall of the gradient along them, newest last.
class Curvature {
 public:
  Curvature(int memory, const std::vector<CurvaturePair>& known)
      : memory_(static_cast<std::size_t>(memory)) {
    for (const CurvaturePair& pair : known) learn(pair.step, pair.fall);
  }

  void learn(const Vector& step, const Vector& fall) {
    // Only where the function bends down can the pair say how far to go.
    if (step.dot(fall) <= 1e-10 * step.norm() * fall.norm()) return;
    pairs_.push_back({step, fall});
    if (pairs_.size() > memory_) pairs_.pop_front();
  }
  void forget() { pairs_.clear(); }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  [[nodiscard]] std::vector<CurvaturePair> pairs() const { return {pairs_.begin(), pairs_.end()}; }

  // H g with H ≈ (-Hessian)⁻¹, by the two loops of [NW06, algorithm 7.4].
  [[nodiscard]] Vector apply(Vector g) const {
    std::vector<double> a(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      const auto& [step, fall] = pairs_[i];
      a[i] = step.dot(g) / step.dot(fall);
      g -= a[i] * fall;
    }
    g *= pairs_.back().step.dot(pairs_.back().fall) / pairs_.back().fall.squaredNorm();
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto& [step, fall] = pairs_[i];
      g += (a[i] - fall.dot(g) / step.dot(fall)) * step;
    }
    return g;
  }

 private:
  std::size_t memory_;
  std::deque<CurvaturePair> pairs_;
};

// One climb: where it stands and what it has learned.
class Climber {
 public:
  Climber(const Landscape& landscape, const ThetaBounds& box, const Ascent& options,
          const std::function<bool()>& keep_going, const std::vector<CurvaturePair>& curvature)
      : landscape_(landscape),
        box_(box),
        options_(options),
        keep_going_(keep_going),
        curvature_(options.memory, curvature) {}

  Summit run(const Theta& start) {
    at_.theta = box_.project(start);
    const std::optional<Height> first = evaluate(at_.theta);
    if (!first) return at_;
    move_to(at_.theta, *first);
    at_.status = AscentStatus::converged;
    while (const std::optional<Vector> direction = next_direction()) {
      if (line_search(*direction)) continue;
      if (at_.status != AscentStatus::converged || curvature_.empty()) break;
      curvature_.forget();  // a poor direction: once more along the gradient
    }
    at_.curvature = curvature_.pairs();
    return at_;
  }

 private:
  std::optional<Height> evaluate(const Theta& theta) {
    ++at_.evaluations;
    std::optional<Height> height = landscape_(theta);
    if (!height) ++at_.failures;
    return height;
  }

  void move_to(const Theta& theta, const Height& height) {
    at_.theta = theta;
    at_.value = height.value;
    at_.gradient = height.gradient;
  }

  // The gradient without what would leave the box.
  [[nodiscard]] Vector inward_gradient() const {
    Vector g = at_.gradient;
    for (Index i = 0; i < g.size(); ++i) {
      const bool blocked = g[i] > 0.0 ? at_.theta.value[i] >= box_.upper.value[i]
                                      : at_.theta.value[i] <= box_.lower.value[i];
      if (blocked) g[i] = 0.0;
    }
    return g;
  }

  // Empty at the top.
  std::optional<Vector> next_direction() {
    const Vector g = inward_gradient();
    if (g.size() == 0 || g.isZero(0.0)) return std::nullopt;
    Vector d = g;
    if (!curvature_.empty()) {
      d = curvature_.apply(g);
      d = (g.array() == 0.0).select(0.0, d);
      if (!d.allFinite() || d.dot(g) <= 0.0) {
        curvature_.forget();
        d = g;
      }
    }
    if (curvature_.empty()) {
      // Without curvature the only scale is that coordinates are logarithms.
      if (g.lpNorm<Eigen::Infinity>() < 1e-3 * options_.flat) return std::nullopt;
      d *= std::min(1.0, options_.first_step / d.lpNorm<Eigen::Infinity>());
    } else if (0.5 * d.dot(g) < options_.tolerance && g.lpNorm<Eigen::Infinity>() < options_.flat) {
      return std::nullopt;
    }
    return d * std::min(1.0, options_.longest_step / d.lpNorm<Eigen::Infinity>());
  }

  // Backtracks until the value has risen by a share of what the gradient promises [NW06, eq. 3.4].
  bool line_search(const Vector& direction) {
    constexpr double sufficient = 1e-4;
    constexpr int most_tries = 12;
    double t = 1.0;
    for (int attempt = 0; attempt < most_tries; ++attempt) {
      if (at_.evaluations >= options_.max_evaluations)
        return stop(AscentStatus::out_of_evaluations);
      if (keep_going_ && !keep_going_()) return stop(AscentStatus::cancelled);
      const Theta theta = box_.project({at_.theta.value + t * direction});
      const Vector step = theta.value - at_.theta.value;
      const double promised = at_.gradient.dot(step);
      if (!(promised > 0.0)) break;  // nothing to gain inside the box
      const std::optional<Height> height = evaluate(theta);
      if (!height) {
        if (at_.failures >= options_.max_failures) return stop(AscentStatus::stalled);
        t *= 0.25;
        continue;
      }
      if (height->value >= at_.value + sufficient * promised) {
        curvature_.learn(step, at_.gradient - height->gradient);
        move_to(theta, *height);
        return true;
      }
      // The top of the parabola through both values and the slope here.
      const double missing = promised - (height->value - at_.value);
      t *= std::clamp(missing > 0.0 ? 0.5 * promised / missing : 0.5, 0.1, 0.5);
    }
    if (curvature_.empty()) at_.status = AscentStatus::stalled;
    return false;
  }

  bool stop(AscentStatus status) {
    at_.status = status;
    return false;
  }

  const Landscape& landscape_;
  const ThetaBounds& box_;
  const Ascent& options_;
  const std::function<bool()>& keep_going_;
  Curvature curvature_;
  Summit at_;
};

}  // namespace

std::string_view name_of(AscentStatus status) {
  switch (status) {
    case AscentStatus::converged:
      return "converged";
    case AscentStatus::stalled:
      return "stalled";
    case AscentStatus::out_of_evaluations:
      return "out of evaluations";
    case AscentStatus::cancelled:
      return "cancelled";
    case AscentStatus::no_start:
      return "no start";
  }
  return "unknown";
}

Summit climb(const Landscape& landscape, const Theta& start, const ThetaBounds& box,
             const Ascent& options, const std::function<bool()>& keep_going,
             const std::vector<CurvaturePair>& curvature) {
  check_positive("max_evaluations", options.max_evaluations);
  check_non_negative("max_failures", options.max_failures);
  check_non_negative("tolerance", options.tolerance);
  check_positive("flat", options.flat);
  check_positive("memory", options.memory);
  check_positive("longest_step", options.longest_step);
  check_positive("first_step", options.first_step);
  return Climber(landscape, box, options, keep_going, curvature).run(start);
}

}  // namespace candor
