// SPDX-License-Identifier: MIT
#include <candor/likelihood/logistic_gaussian.hpp>
#include <candor/linalg/gauss_legendre.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace candor {
namespace {

constexpr double cut = 42.0;  // the integrand is followed down to exp(-42) of its peak

// Where a closed form is accurate to rounding error and the quadrature is not needed.
constexpr double narrow_variance = 1e-18;  // σ is linear over the bulk: relative error O(v)
constexpr double wide_variance = 1e8;  // σ is nearly a step: relative error O(1/v² + (m/v)⁴)
constexpr double wide_tilt = 1e-4;     // |m|/v up to which it is

// Of the density σ'.
constexpr double noise_variance = std::numbers::pi * std::numbers::pi / 3.0;

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
//   w(u) = σ(f₀ + u) N(f₀ + u; m, v) / (σ(f₀) N(f₀; m, v)),   f₀ = m + δ ≥ 0
// f₀ and δ are kept apart: f₀ - m has no digits near f₀ = m, and m + δ has none near f₀ = 0.
struct Peak {
  double f0, delta, v;
  double width;  // 1/√curvature there

  double log_gaussian(double u) const { return -(u / v) * (0.5 * u + delta); }
  double log_weight(double u) const {
    return log_gaussian(u) + log_logistic(f0 + u) - log_logistic(f0);
  }
};

// The peak solves δ = v σ(-(m + δ)), and lies at f₀ ≥ 0 for m ≥ -v/2.  The start is on its left,
// from where Newton's method is monotone, since σ(-f) is convex for f > 0.
Peak find_peak(double m, double v) {
  double delta = std::max(-m, 0.0);
  double f0 = std::max(m, 0.0);
  double width = 0.0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const auto [large, small] = logistic_pair(f0);
    width = 1.0 / std::sqrt(1.0 / v + large * small);
    const double step = (small - delta / v) * width * width;
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

// In units of the width: neither u² nor du may over- or underflow.
struct Sums {
  double weight = 0.0, t = 0.0, t2 = 0.0;         // of t = u/width
  double tail = 0.0, tail2 = 0.0, product = 0.0;  // of σ(-f), its square, and σ(f) σ(-f)
};

// Adds the integrals over [low, high].
void add_panel(const Peak& peak, double low, double high, Sums& sums) {
  const double half = 0.5 * (high - low);
  const double centre = 0.5 * (high + low);
  const double scale = half / peak.width / logistic_pair(peak.f0).large;
  const auto add = [&](double u, double quadrature_weight) {
    const double f = peak.f0 + u;
    const double t = u / peak.width;
    const auto [large, small] = logistic_pair(f);
    // σ(f) = exp(min(f, 0)) σ(|f|)
    const double w =
        quadrature_weight * scale * std::exp(peak.log_gaussian(u) + std::min(f, 0.0)) * large;
    const double tail = f > 0.0 ? small : large;
    sums.weight += w;
    sums.t += w * t;
    sums.t2 += w * t * t;
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
// of the Gaussian: each then holds a function that thirty nodes integrate to rounding error.  Where
// the closed forms below do not apply that makes fewer than thirty panels.
Sums integrate(const Peak& peak) {
  const double low = -reach(peak, -1.0);
  const double high = reach(peak, 1.0);
  const double start = std::clamp(-peak.f0, low, high);
  const double widest = 10.0 * std::sqrt(peak.v);
  const auto panel = [&](double u) { return std::min(widest, 9.0 + 3.0 * std::abs(peak.f0 + u)); };
  Sums sums;
  for (double u = start; u < high;) {
    const double next = std::min(high, u + panel(u));
    if (next <= u) break;  // a panel lost in rounding would be walked for ever
    add_panel(peak, u, next, sums);
    u = next;
  }
  for (double u = start; u > low;) {
    const double next = std::max(low, u - panel(u));
    if (next >= u) break;
    add_panel(peak, next, u, sums);
    u = next;
  }
  return sums;
}

LogisticTilted by_quadrature(double m, double v) {
  const Peak peak = find_peak(m, v);
  const Sums sums = integrate(peak);
  const double mean_t = sums.t / sums.weight;
  const double variance_t = sums.t2 / sums.weight - mean_t * mean_t;
  const double relative_width = peak.width / std::sqrt(v);
  const double ratio = relative_width * variance_t * relative_width;
  const double tail = sums.tail / sums.weight;

  const double log_Z = log_logistic(peak.f0) - 0.5 * peak.delta * (peak.delta / v) +
                       std::log(sums.weight * relative_width / std::sqrt(2.0 * std::numbers::pi));
  // β = E[σ(f) σ(-f)] - Var[σ(-f)], which keeps its digits where 1 - v β is close to 1.
  const double stein = sums.product / sums.weight - (sums.tail2 / sums.weight - tail * tail);
  const double beta = ratio < 0.5 ? (1.0 - ratio) / v : stein;
  return {std::min(log_Z, 0.0), tail, beta, {peak.f0 + peak.width * mean_t, v * ratio}, ratio};
}

// Also where v is too small for 1/v.
LogisticTilted narrow(double m, double v) {
  const auto [large, small] = logistic_pair(m);
  const double slope = m > 0.0 ? small : large;
  return {log_logistic(m), slope, large * small, {m + v * slope, v}, 1.0};
}

// σ is the distribution function of noise with variance π²/3; on the scale of √v normal noise does
// the same: Z = Φ(z), z = m/√s, s = v + π²/3.
LogisticTilted wide(double m, double v) {
  const double s = v + noise_variance;
  const double root_s = std::sqrt(s);
  const double z = m / root_s;
  const NormalRatios n = normal_ratios(z);
  const double slope = n.r / root_s;
  const double share = n.r * n.r_plus_z;  // s β
  const double ratio = n.one_minus_r_r_plus_z + noise_variance / s * share;
  const double mean = root_s * n.r_plus_z - noise_variance * slope;  // m + v × slope
  return {log_normal_cdf(z), slope, share / s, {mean, v * ratio}, ratio};
}

}  // namespace

double logistic(double f) {
  const auto [large, small] = logistic_pair(f);
  return f > 0.0 ? large : small;
}

double log_logistic(double f) { return std::min(f, 0.0) - std::log1p(std::exp(-std::abs(f))); }

LogisticTilted logistic_tilted(Moments normal) {
  const auto [m, v] = normal;
  if (m < -0.5 * v) {
    // σ(f) N(f; m, v) = exp(m + v/2) σ(-f) N(f; m + v, v): the left half line mirrors the right,
    // and both terms of log Z are negative.
    const LogisticTilted t = logistic_tilted({-(m + v), v});
    return {m + 0.5 * v + t.log_Z,
            1.0 - t.slope,
            t.beta,
            {-t.moments.mean, t.moments.variance},
            t.variance_ratio};
  }
  if (v < narrow_variance) return narrow(m, v);
  if (v >= wide_variance && std::abs(m) <= wide_tilt * v) return wide(m, v);
  return by_quadrature(m, v);
}

double expected_logistic(Moments normal) {
  const auto [m, v] = normal;
  if (v < narrow_variance) return logistic(m);
  if (m > 0.0) return 1.0 - expected_logistic({-m, v});
  return std::exp(logistic_tilted(normal).log_Z);
}

}  // namespace candor
