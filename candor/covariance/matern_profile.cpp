// SPDX-License-Identifier: MIT
#include <candor/covariance/matern_profile.hpp>

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace candor {
namespace {

// Here e^(-u) times any power of u that smoothness ≤ 500 brings in is 0.
constexpr double u_of_underflow = 1e5;

// Terms of the expansion for large u fall below rounding before they grow again.
constexpr double u_of_expansion = 40.0;

// Products are kept below this, and what was divided out is remembered.
constexpr double rescale_above = 1e200;

// Slopes at u → 0 are infinite for ν ≤ 1, yet they are only ever multiplied by u².
constexpr double steepest = -1e200;

// e^u K_order(u) for 0 ≤ order ≤ 1.
double scaled_bessel_k(double order, double u) {
  if (u < u_of_expansion) {
    using namespace boost::math::policies;
    using Plain =
        policy<promote_double<false>, overflow_error<ignore_error>, underflow_error<ignore_error>>;
    return boost::math::cyl_bessel_k(order, u, Plain()) * std::exp(u);
  }
  // √(π/2u) Σ_k Π_{j≤k} (4 order² - (2j-1)²)/(8 j u)
  const double order_term = 4.0 * order * order;
  double term = 1.0;
  double sum = 1.0;
  for (int k = 1; std::abs(term) > 0.1 * std::numeric_limits<double>::epsilon(); ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= (order_term - odd * odd) / (8.0 * k * u);
    sum += term;
  }
  return std::sqrt(std::acos(-1.0) / (2.0 * u)) * sum;
}

// e^(-u) × scaled × e^log_scale, in logs where one factor alone would underflow.
double unscaled(double scaled, double log_scale, double u) {
  if (log_scale == 0.0 && u < 700.0) return scaled * std::exp(-u);
  return std::exp(std::log(scaled) + log_scale - u);
}

}  // namespace

// With ν = m + μ, 0 < μ ≤ 1, the recurrence of K_ν becomes one between covariances,
//   M_{ν+1} = M_ν + u²/(4ν(ν-1)) M_{ν-1},
// whose terms are all positive: it loses no digits and, unlike that of K_ν, does not overflow at
// small u.
MaternProfile matern_profile(double smoothness, double u_squared) {
  const double u = std::sqrt(u_squared);
  if (u > u_of_underflow) return {0.0, 0.0};
  const double steps = std::ceil(smoothness) - 1.0;  // m
  const double mu = smoothness - steps;
  if (u_squared < 1e-300) return {1.0, steps < 1.0 ? 0.0 : -0.25 / (smoothness - 1.0)};

  const double weight = std::exp2(1.0 - mu) * std::pow(u, mu) / std::tgamma(mu);
  double previous = weight * scaled_bessel_k(mu, u);          // e^u M_μ
  const double gain = weight * scaled_bessel_k(1.0 - mu, u);  // e^u (M_{μ+1} - M_μ) 2μ/u
  if (steps < 1.0) {
    const double slope = -0.5 / u * unscaled(gain, 0.0, u);  // dM/du = -gain
    return {unscaled(previous, 0.0, u), std::max(slope, steepest)};
  }
  double current = previous + 0.5 * u / mu * gain;  // e^u M_{μ+1}
  double log_scale = 0.0;
  for (double order = mu + 1.0; order < smoothness - 0.5; order += 1.0) {
    const double next = current + u_squared / (4.0 * order * (order - 1.0)) * previous;
    previous = std::exchange(current, next);
    if (current > rescale_above) {
      previous /= rescale_above;
      current /= rescale_above;
      log_scale += std::log(rescale_above);
    }
  }
  return {unscaled(current, log_scale, u),
          -0.25 / (smoothness - 1.0) * unscaled(previous, log_scale, u)};
}

}  // namespace candor
