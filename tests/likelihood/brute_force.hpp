// SPDX-License-Identifier: MIT
// Integrals by brute force, slow and independent of the library's own.
#pragma once

#include <candor/likelihood/site.hpp>

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace candor::testing {

// Sixteen panels of thirty nodes: rounding error for anything smooth on a sixteenth of the
// interval.
template <class F>
double integrate_between(const F& f, double low, double high) {
  constexpr int panels = 16;
  const double width = (high - low) / panels;
  double total = 0.0;
  for (int i = 0; i < panels; ++i)
    total += boost::math::quadrature::gauss<double, 30>::integrate(f, low + i * width,
                                                                   low + (i + 1) * width);
  return total;
}

// Where to cut the line for the density p(y|f) N(f; cavity)/Z: around its two factors and, since
// far in the tails it lives elsewhere, around its own claimed moments.  Between cuts it is smooth.
inline std::vector<double> pieces(Moments cavity, Moments tilted, double scale) {
  std::vector<double> cuts;
  for (const Moments& m : {cavity, tilted})
    for (const double k : {-12.0, -4.0, 0.0, 4.0, 12.0})
      cuts.push_back(m.mean + k * std::sqrt(m.variance));
  for (const double k : {-40.0, 40.0}) cuts.push_back(tilted.mean + k * std::sqrt(tilted.variance));
  const auto [low, high] = std::minmax_element(cuts.begin(), cuts.end());
  const double first = *low;
  const double last = *high;
  for (const double k : {-200.0, -40.0, -10.0, 0.0, 10.0, 40.0, 200.0})
    cuts.push_back(std::clamp(k * scale, first, last));
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

inline double log_normal_density(double f, Moments m) {
  const double t = (f - m.mean) / std::sqrt(m.variance);
  return -0.5 * (t * t + std::log(2.0 * std::numbers::pi * m.variance));
}

// ∫ g(f) exp(log_p(f) + log N(f; cavity) - log Z) df; log_p may jump at 0 and varies there over
// `scale`.
template <class G, class LogP>
double tilted_expectation(const G& g, const LogP& log_p, Moments cavity, const Tilted& tilted,
                          double scale) {
  const auto integrand = [&](double f) {
    const double log_weight = log_p(f) + log_normal_density(f, cavity) - tilted.log_Z;
    return log_weight < -700.0 ? 0.0 : g(f) * std::exp(log_weight);
  };
  const std::vector<double> cuts = pieces(cavity, tilted.moments, scale);
  double total = 0.0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    if (cuts[i] < cuts[i + 1]) total += integrate_between(integrand, cuts[i], cuts[i + 1]);
  return total;
}

// Two central differences combined so that the h² error cancels; the rest is O(h⁴).
template <class F>
double derivative(const F& f, double x, double h) {
  const auto central = [&](double step) { return (f(x + step) - f(x - step)) / (2.0 * step); };
  return (4.0 * central(0.5 * h) - central(h)) / 3.0;
}

// From one side, for parameters at the end of their domain; the error is O(h³).
template <class F>
double right_derivative(const F& f, double x, double h) {
  const auto one_sided = [&](double step) {
    return (-3.0 * f(x) + 4.0 * f(x + step) - f(x + 2.0 * step)) / (2.0 * step);
  };
  return (4.0 * one_sided(0.5 * h) - one_sided(h)) / 3.0;
}

}  // namespace candor::testing
