// SPDX-License-Identifier: MIT
#include <candor/likelihood/bends.hpp>
#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/noisy_step.hpp>
#include <candor/likelihood/powered_site.hpp>
#include <candor/linalg/gauss_legendre.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace candor {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double cut = 42.0;  // the integrand is followed down to exp(-42) of its peak

// What the quadrature must know of log p as a function of x = y f.
struct Shape {
  std::array<Bend, 2> bends;
  double concave_from;    // log p is concave to the right of here
  double tail_precision;  // -(log p)'' is at most this between the bends, and fades outside them
  bool has_normal_tail;   // log p = -½ tail_precision x² - log (log p)' + const for x < 0
};

Shape shape_of(const Logistic& likelihood, const Observation& row) {
  return {bends_of(likelihood, row), -infinity, 0.0, false};
}

// (log p)'' = -r (r + z)/v₂ turns negative where r + z turns positive.
double concave_from(const FlippedStep& step, double flat) {
  double low = flat - 1.0, high = 0.0;
  for (int halving = 0; halving < 12; ++halving) {  // a peak within 1e-2 of there may be missed
    const double middle = 0.5 * (low + high);
    (ratios(step, middle).r_plus_z < 0.0 ? low : high) = middle;
  }
  return high;
}

template <IsNoisyStep L>
Shape shape_of(const L& likelihood, const Observation& row) {
  const FlippedStep step = step_of(likelihood, row);
  const double v = noise_of(likelihood), sd = std::sqrt(v);
  const std::array<Bend, 2> bends = bends_of(likelihood, row);
  if (step.wrong == 0.0) return {bends, -infinity, 1.0 / v, true};
  return {bends, sd * concave_from(step, bends[0].at / sd), 1.0 / v, false};
}

// The integrand p(x)^w N(x; m, v), x = y f, around a point x₀ = m + δ near its peak:
//   log integrand(x₀ + u) - log integrand(x₀) = w (log p(x₀ + u) - log p(x₀)) - u (δ + ½u)/v
template <class L>
class Integrand {
 public:
  Integrand(const L& likelihood, const Observation& row, double power, Moments cavity)
      : likelihood_(likelihood),
        row_(row),
        w_(power),
        m_(row.y * cavity.mean),
        v_(cavity.variance),
        shape_(shape_of(likelihood, row)) {
    const double right = right_peak();
    const double gain = w_ * (log_p(right).value - log_p(m_).value);
    const bool is_right = 0.5 * (right - m_) * ((right - m_) / v_) <= gain;
    x0_ = is_right ? right : m_;
    delta_ = x0_ - m_;
    at_peak_ = log_p(x0_);
    first_ = is_inside(-delta_) ? -delta_ : 0.0;
    last_ = is_inside(right - x0_) ? right - x0_ : 0.0;
    low_ = end(first_, -1.0);
    high_ = end(last_, 1.0);
  }

  [[nodiscard]] double peak() const { return x0_; }
  [[nodiscard]] double shift() const { return delta_; }  // of the peak, from the cavity's mean
  [[nodiscard]] double log_peak() const {
    return w_ * at_peak_.value - 0.5 * delta_ * (delta_ / v_);
  }

  // Calls visit(u, log density at x₀ + u, mass): the masses are those of u/√v.
  template <class Visit>
  void for_each_node(const Visit& visit) const {
    const double left = std::clamp(shape_.bends[0].at - x0_, low_, high_);
    const double right = std::clamp(shape_.bends[1].at - x0_, low_, high_);
    const double middle = 0.5 * (left + right);
    walk(left, low_, visit);
    walk(left, middle, visit);
    walk(right, middle, visit);
    walk(right, high_, visit);
  }

 private:
  [[nodiscard]] LogDensity log_p(double x) const {
    LogDensity p = likelihood_.log_density(row_, row_.y * x);
    p.d1 *= row_.y;
    return p;
  }

  // To the right of m, where log p is concave, the integrand has at most one peak.
  [[nodiscard]] double right_peak() const {
    double x = std::max(m_, shape_.concave_from);
    double low = x, high = m_ + v_ * w_ * log_p(x).d1;
    for (int iteration = 0; iteration < 200 && low < high; ++iteration) {
      const LogDensity p = log_p(x);
      const double slope = w_ * p.d1 - (x - m_) / v_, precision = 1.0 / v_ - w_ * p.d2;
      (slope > 0.0 ? low : high) = x;
      double next = x + slope / precision;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double step = next - x;
      x = next;
      if (step * step * precision <= 1e-4) break;  // being near the peak is enough
    }
    return x;
  }

  [[nodiscard]] double fall(double u, const LogDensity& p) const {
    const double gaussian = -(u / v_) * (delta_ + 0.5 * u);
    if (shape_.has_normal_tail && x0_ < 0.0 && x0_ + u < 0.0) {
      // Far out log p itself is too large for a difference.
      const double quadratic = -(u * shape_.tail_precision) * (x0_ + 0.5 * u);
      return gaussian + w_ * (quadratic - std::log(p.d1 / at_peak_.d1));
    }
    return gaussian + w_ * (p.value - at_peak_.value);
  }

  [[nodiscard]] bool is_inside(double u) const { return fall(u, log_p(x0_ + u)) > -cut; }

  // A bound on where, beyond `from` in the direction ±1, the integrand has fallen below exp(-cut).
  [[nodiscard]] double end(double from, double direction) const {
    const double curvature = std::max(0.0, -log_p(x0_ + from).d2);
    double far = 1.0 / std::sqrt(1.0 / v_ + w_ * curvature);
    while (is_inside(from + direction * far)) far *= 2.0;
    double near = 0.5 * far;
    for (int halving = 0; halving < 3; ++halving) {
      const double middle = 0.5 * (near + far);
      (is_inside(from + direction * middle) ? near : far) = middle;
    }
    return from + direction * far;
  }

  // From u on, away from the nearest bend, thirty nodes integrate this far to rounding error: over
  // ten standard deviations of a Gaussian, and a few times the distance to a singularity.
  [[nodiscard]] double longest_panel(double u, bool in_tail) const {
    const double precision = 1.0 / v_ + (in_tail ? w_ * shape_.tail_precision : 0.0);
    double length = 10.0 / std::sqrt(precision);
    for (const Bend& bend : shape_.bends) {
      const double gap = std::abs(x0_ + u - bend.at);
      length = std::min(length, bend.longest_panel(gap));
    }
    return length;
  }

  // Whether log p has its tail here: between the bends, and to their left where nothing is flat.
  [[nodiscard]] bool is_in_tail(double u) const {
    const auto& [left, right] = shape_.bends;
    return x0_ + u < right.at && (shape_.has_normal_tail || x0_ + u > left.at);
  }

  // From a bend, or the end that is nearest to one, to another place or until nothing is left.
  template <class Visit>
  void walk(double from, double to, const Visit& visit) const {
    const bool in_tail = is_in_tail(0.5 * (from + to));
    const auto only_falls = [&] { return to < from ? from < first_ : from > last_; };
    while (std::abs(to - from) > 0.0 && !(only_falls() && !is_inside(from))) {
      const double length = longest_panel(from, in_tail);
      double next = to > from ? std::min(to, from + length) : std::max(to, from - length);
      if (next == from) next = to;  // a panel lost in rounding would be walked for ever
      visit_panel(std::min(from, next), std::max(from, next), visit);
      from = next;
    }
  }

  template <class Visit>
  void visit_panel(double low, double high, const Visit& visit) const {
    const double half = 0.5 * (high - low), centre = 0.5 * (high + low);
    const auto visit_node = [&](double u, double quadrature_weight) {
      const LogDensity p = log_p(x0_ + u);
      const double mass = quadrature_weight * (half / std::sqrt(v_)) * std::exp(fall(u, p));
      if (mass > 0.0) visit(u, p, mass);
    };
    for (const auto& [node, weight] : gauss_legendre_30) {
      visit_node(centre - half * node, weight);
      visit_node(centre + half * node, weight);
    }
  }

  const L& likelihood_;
  const Observation& row_;
  double w_, m_, v_;
  Shape shape_;
  double x0_ = 0.0, delta_ = 0.0;
  LogDensity at_peak_{};
  double first_ = 0.0, last_ = 0.0;  // the outermost peaks, in u
  double low_ = 0.0, high_ = 0.0;    // the support reaches no further
};

// Integrals in units of √v, so that neither t² nor a derivative over- or underflows.
struct Sums {
  double mass = 0.0, t = 0.0, t2 = 0.0;  // t = u/√v
  double d1 = 0.0, d1_squared = 0.0;     // of w (log p)'
  double d2 = 0.0, d2_size = 0.0;        // of w (log p)'', and its absolute value
  void add(double at, double w_d1, double w_d2, double m) {
    mass += m;
    t += m * at;
    t2 += m * at * at;
    d1 += m * w_d1;
    d1_squared += m * w_d1 * w_d1;
    d2 += m * w_d2;
    d2_size += m * std::abs(w_d2);
  }
};

template <class L>
Tilted by_quadrature(const L& likelihood, const Observation& row, double power, Moments cavity) {
  const double v = cavity.variance, sd = std::sqrt(v);
  const Integrand<L> integrand(likelihood, row, power, cavity);
  Sums sums;
  integrand.for_each_node([&](double u, const LogDensity& p, double mass) {
    sums.add(u / sd, power * p.d1 * sd, power * p.d2 * v, mass);
  });
  const auto mean_of = [&](double sum) { return sum / sums.mass; };
  const double t = mean_of(sums.t), ratio = mean_of(sums.t2) - t * t;
  // Whichever is rounded less: with a = ∂ log Z/∂m = (m̂ - m)/v = E[w (log p)'] and
  // β = -∂² log Z/∂m² = (1 - v̂/v)/v = -E[w (log p)''] - Var[w (log p)'].
  const bool is_weak = mean_of(sums.d2_size) + mean_of(sums.d1_squared) < 1.0;
  const double slope = is_weak ? mean_of(sums.d1) : integrand.shift() / sd + t;  // √v a
  const double v_beta =
      is_weak ? slope * slope - mean_of(sums.d1_squared) - mean_of(sums.d2) : 1.0 - ratio;
  const double mean = integrand.peak() + sd * t;
  const double tau = v_beta / ratio / v;
  const double log_Z =
      integrand.log_peak() + std::log(sums.mass / std::sqrt(2.0 * std::numbers::pi));
  return {log_Z, {tau, row.y * (slope / sd + tau * mean)}, {row.y * mean, v * ratio}};
}

template <class L>
Vector gradient_by_quadrature(const L& likelihood, const Observation& row, double power,
                              Moments cavity) {
  const Integrand<L> integrand(likelihood, row, power, cavity);
  Vector sum = Vector::Zero(static_cast<Index>(std::tuple_size_v<decltype(L::parameters())>));
  double total = 0.0;
  integrand.for_each_node([&](double u, const LogDensity& /*p*/, double mass) {
    const Moments known{row.y * (integrand.peak() + u), 0.0};
    sum += mass * likelihood.log_Z_gradient(row, known);  // log Z of a known f is log p(y|f)
    total += mass;
  });
  return (power / total) * sum;
}

// A step to a power is a step between other levels: wrong^w and (1 - missed)^w.
struct PureStep {
  double log_levels;  // of their sum
  FlippedStep step;
};
PureStep pure_step(const FlippedStep& step, double power) {
  const double lower = std::pow(step.wrong, power), upper = std::pow(1.0 - step.missed, power);
  const double share = lower / (lower + upper);
  return {std::log(lower + upper), {.wrong = share, .missed = share}};
}

template <IsNoisyStep L>
Tilted stepped(const L& likelihood, const Observation& row, double power, Moments cavity) {
  const PureStep pure = pure_step(step_of(likelihood, row), power);
  Tilted t = tilted(pure.step, row.y, cavity, 0.0);
  t.log_Z += pure.log_levels;
  return t;
}

template <IsNoisyStep L>
Vector stepped_gradient(const L& likelihood, const Observation& row, double power, Moments cavity) {
  const PureStep pure = pure_step(step_of(likelihood, row), power);
  const double below = p_wrong(pure.step, row.y, cavity, 0.0);  // tilted mass where y f < 0
  L soft = likelihood;
  if constexpr (requires { soft.noise_variance; }) soft.noise_variance = 1.0;
  constexpr double far = 1e3;
  const auto side = [&](double x, double share) -> Vector {
    return (power * share) * soft.log_Z_gradient(row, {row.y * x, 0.0});
  };
  return side(-far, below) + side(far, 1.0 - below);
}

// N(y; f, v)^w is N(y; f, v/w) and a constant.
Tilted powered(const Gaussian& likelihood, const Observation& row, double power, Moments cavity) {
  const double v = likelihood.noise_variance;
  Tilted t = Gaussian{.noise_variance = v / power}.tilted(row, cavity);
  t.log_Z += 0.5 * ((1.0 - power) * std::log(2.0 * std::numbers::pi * v) - std::log(power));
  return t;
}

Vector powered_gradient(const Gaussian& likelihood, const Observation& row, double power,
                        Moments cavity) {
  const Gaussian wider{.noise_variance = likelihood.noise_variance / power};
  return wider.log_Z_gradient(row, cavity).array() + 0.5 * (1.0 - power);
}

template <class L>
Tilted powered(const L& likelihood, const Observation& row, double power, Moments cavity) {
  if constexpr (IsNoisyStep<L>) {
    if (is_pure_step(likelihood, cavity)) return stepped(likelihood, row, power, cavity);
  }
  return by_quadrature(likelihood, row, power, cavity);
}

template <class L>
Vector powered_gradient(const L& likelihood, const Observation& row, double power, Moments cavity) {
  if constexpr (IsNoisyStep<L>) {
    if (is_pure_step(likelihood, cavity)) return stepped_gradient(likelihood, row, power, cavity);
  }
  return gradient_by_quadrature(likelihood, row, power, cavity);
}

}  // namespace

Tilted powered_tilted(const Likelihood& likelihood, const Observation& row, double power,
                      Moments cavity) {
  return std::visit([&](const auto& l) { return powered(l, row, power, cavity); }, likelihood);
}

Vector powered_log_Z_gradient(const Likelihood& likelihood, const Observation& row, double power,
                              Moments cavity) {
  return std::visit([&](const auto& l) { return powered_gradient(l, row, power, cavity); },
                    likelihood);
}

}  // namespace candor
