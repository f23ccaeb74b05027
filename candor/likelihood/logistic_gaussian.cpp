// SPDX-License-Identifier: MIT
#include <candor/likelihood/gauss_legendre.hpp>
#include <candor/likelihood/logistic_gaussian.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace candor {
namespace {

constexpr double cut = 42.0;  // the integrand is followed down to exp(-42) of its peak
constexpr double smallest_variance = 1e-290;

// σ(|f|) and σ(-|f|), neither of which cancels.
struct LogisticPair {
  double large, small;
};
LogisticPair logistic_pair(double f) {
  const double e = std::exp(-std::abs(f));
  const double large = 1.0 / (1.0 + e);
  return {large, e * large};
}

// The integrand relative to its value at a point near its peak:
//   w(u) = σ(f₀ + u) N(f₀ + u; m, v) / (σ(f₀) N(f₀; m, v)),   f₀ = m + δ
// f₀ and δ are kept apart: f₀ - m has no digits near f₀ = m, and m + δ has none near f₀ = 0.
struct Peak {
  double f0, delta, v;
  double width;  // 1/√curvature there

  double log_gaussian(double u) const { return -(u / v) * (0.5 * u + delta); }
  double log_weight(double u) const {
    return log_gaussian(u) + log_logistic(f0 + u) - log_logistic(f0);
  }
};

// The peak solves δ = v σ(-(m + δ)).  The starts below lie on the side from which Newton's method
// is monotone, since σ(-f) is concave for f < 0 and convex for f > 0.
Peak find_peak(double m, double v) {
  double delta = m >= 0.0 ? 0.0 : std::min(-m, v);
  double f0 = delta == -m ? 0.0 : m + delta;
  double width = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const auto [large, small] = logistic_pair(f0);
    width = 1.0 / std::sqrt(1.0 / v + large * small);
    const double pull = f0 > 0.0 ? small : large;  // σ(-f₀)
    const double step = (pull - delta / v) * width * width;
    delta += step;
    f0 += step;
    if (std::abs(step) <= 1e-3 * width) break;  // being near the peak is enough
  }
  return {f0, delta, v, width};
}

// The distance from the peak, in the direction ±1, where the integrand has fallen below exp(-cut).
double reach(const Peak& peak, double direction) {
  double far = peak.width;
  while (peak.log_weight(direction * far) > -cut) far *= 2.0;
  double near = 0.5 * far;
  for (int halving = 0; halving < 3; ++halving) {
    const double middle = 0.5 * (near + far);
    (peak.log_weight(direction * middle) > -cut ? near : far) = middle;
  }
  return far;
}

struct Sums {
  double weight = 0.0, u = 0.0, u2 = 0.0;
  double tail = 0.0, tail2 = 0.0, product = 0.0;  // of σ(∓f), its square, and σ(f) σ(-f)
};

// Adds the integrals over [low, high].  `tail` is whichever of σ(-f), σ(f) is small at the peak.
void add_panel(const Peak& peak, double low, double high, Sums& sums) {
  const double half = 0.5 * (high - low);
  const double centre = 0.5 * (high + low);
  const LogisticPair at_peak = logistic_pair(peak.f0);
  const bool right = peak.f0 > 0.0;
  const auto add = [&](double u, double quadrature_weight) {
    const double f = peak.f0 + u;
    const auto [large, small] = logistic_pair(f);
    // σ(f)/σ(f₀) = exp(min(f, 0) - min(f₀, 0)) σ(|f|)/σ(|f₀|); on one side of 0 the exponent is u
    // or 0.
    const double kink = f <= 0.0 && !right ? u : std::min(f, 0.0) - std::min(peak.f0, 0.0);
    const double w =
        quadrature_weight * half * std::exp(peak.log_gaussian(u) + kink) * large / at_peak.large;
    const double tail = (f > 0.0) == right ? small : large;
    sums.weight += w;
    sums.u += w * u;
    sums.u2 += w * u * u;
    sums.tail += w * tail;
    sums.tail2 += w * tail * tail;
    sums.product += w * large * small;
  };
  for (const auto& [node, weight] : gauss_legendre_30) {
    add(centre - half * node, weight);
    add(centre + half * node, weight);
  }
}

// Panels grow with the distance from the poles of σ at ±iπ and never exceed ten standard deviations
// of the Gaussian: each then holds a function that thirty nodes integrate to rounding error.
Sums integrate(const Peak& peak) {
  const double low = -reach(peak, -1.0);
  const double high = reach(peak, 1.0);
  const double start = std::clamp(-peak.f0, low, high);
  const double widest = 10.0 * std::sqrt(peak.v);
  const auto panel = [&](double u) { return std::min(widest, 9.0 + 3.0 * std::abs(peak.f0 + u)); };
  Sums sums;
  for (double u = start; u < high;) {
    const double next = std::min(high, u + panel(u));
    add_panel(peak, u, next, sums);
    u = next;
  }
  for (double u = start; u > low;) {
    const double next = std::max(low, u - panel(u));
    add_panel(peak, next, u, sums);
    u = next;
  }
  return sums;
}

}  // namespace

double logistic(double f) {
  const auto [large, small] = logistic_pair(f);
  return f > 0.0 ? large : small;
}

double log_logistic(double f) { return std::min(f, 0.0) - std::log1p(std::exp(-std::abs(f))); }

LogisticTilted logistic_tilted(Moments normal) {
  const auto [m, v] = normal;
  const Peak peak = find_peak(m, v);
  const Sums sums = integrate(peak);
  const double mean_u = sums.u / sums.weight;
  const double ratio = (sums.u2 / sums.weight - mean_u * mean_u) / v;
  const double tail = sums.tail / sums.weight;

  const double log_Z = log_logistic(peak.f0) - 0.5 * peak.delta * (peak.delta / v) +
                       std::log(sums.weight / std::sqrt(2.0 * std::numbers::pi * v));
  const double slope = peak.f0 > 0.0 ? tail : 1.0 - tail;  // E[σ(-f)] under the tilted density
  // β = E[σ(f) σ(-f)] - Var[σ(-f)], which keeps its digits where 1 - v β is close to 1.
  const double stein = sums.product / sums.weight - (sums.tail2 / sums.weight - tail * tail);
  const double beta = ratio < 0.5 ? (1.0 - ratio) / v : stein;
  return {std::min(log_Z, 0.0), slope, beta, {peak.f0 + mean_u, v * ratio}, ratio};
}

double expected_logistic(Moments normal) {
  const auto [m, v] = normal;
  if (v < smallest_variance) return logistic(m);
  if (m > 0.0) return 1.0 - expected_logistic({-m, v});
  return std::exp(logistic_tilted(normal).log_Z);
}

}  // namespace candor
