// SPDX-License-Identifier: MIT
#include <candor/linalg/mills_series.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace candor {
namespace {

constexpr double inv_sqrt_2pi = 0.3989422804014327;
constexpr double half_log_2pi = 0.9189385332046727;

// Two independent recurrences, one for the even and one for the odd coefficients, halve the latency
// of Clenshaw's: T_{2k}(u) = T_k(t) and T_{2k+1}(u) = u (T_k(t) + …) with t = 2u² - 1.
double chebyshev(double u) {
  const double two_t = 4.0 * u * u - 2.0;
  double even = 0.0, even_next = 0.0, odd = 0.0, odd_next = 0.0;
  static_assert(mills_series.size() % 2 == 0);
  for (std::size_t k = mills_series.size() - 2; k > 0; k -= 2) {
    even_next = std::exchange(even, mills_series[k] + two_t * even - even_next);
    odd_next = std::exchange(odd, mills_series[k + 1] + two_t * odd - odd_next);
  }
  const double even_sum = mills_series[0] + 0.5 * two_t * even - even_next;
  // Σ c_{2k+1} T_{2k+1}(u) = u Σ c_{2k+1} V_k(t), and V_0 = 1, V_1 = 2t - 1.
  const double odd_sum = u * (mills_series[1] + (two_t - 1.0) * odd - odd_next);
  return even_sum + odd_sum;
}

struct MillsFraction {
  double K1, K2, K3;
  double K3_minus_x;
};
MillsFraction mills_fraction(double x) {
  const double distance = x + mills_centre;
  const double K3_minus_x = chebyshev(1.0 - 2.0 * mills_centre / distance) / distance;
  const double K3 = x + K3_minus_x;
  const double K2 = x + 2.0 / K3;
  return {x + 1.0 / K2, K2, K3, K3_minus_x};
}

NormalRatios left_ratios(double z) {
  const auto [K1, K2, K3, K3_minus_x] = mills_fraction(-z);
  const double q = 1.0 / K2;
  const double K3_minus_K2 = K3_minus_x - 2.0 / K3;  // ≈ 3/x - 2/x
  return {K1, q, q * (2.0 / K3 - q), 2.0 * q / K3, 2.0 * q * q * K3_minus_K2 / K3};
}

}  // namespace

double normal_pdf(double z) {
  if (std::abs(z) > 40.0) return 0.0;
  const double z2 = z * z;
  const double lost = std::fma(z, z, -z2);  // half an ulp of z² is z²/2 ulps of exp(-z²/2)
  return inv_sqrt_2pi * std::exp(-0.5 * z2) * (1.0 - 0.5 * lost);
}

double normal_cdf(double z) {
  if (z == 0.0) return 0.5;  // a tie is a tie, not half an ulp to one side
  const double tail = normal_pdf(z) / mills_fraction(std::abs(z)).K1;
  return z > 0.0 ? 1.0 - tail : tail;
}

double log_normal_cdf(double z) {
  const double K1 = mills_fraction(std::abs(z)).K1;
  if (z > 0.0) return std::log1p(-normal_pdf(z) / K1);
  return -0.5 * z * z - half_log_2pi - std::log(K1);
}

// Newton's method from the left, from where it is monotone, as log Φ is concave.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1.0 - p);
  const double log_p = std::log(p);
  double z = -std::sqrt(-2.0 * log_p);
  for (int iteration = 0; iteration < 6; ++iteration) {
    z += (log_p - log_normal_cdf(z)) / normal_ratios(z).r;
  }
  return z;
}

NormalRatios normal_ratios(double z) {
  if (z < 0.0) return left_ratios(z);
  const double pdf = normal_pdf(z);
  const double r = pdf / (1.0 - pdf / mills_fraction(z).K1);
  if (r == 0.0) return {0.0, z, 1.0, 1.0 + z * z, z * z - 1.0};
  const double q = r + z;
  const double p = 1.0 - r * q;
  return {r, q, p, 1.0 + z * q, q * q - p};
}

NormalFactor normal_factor(double z) {
  if (z < 0.0) {
    const NormalRatios left = left_ratios(z);
    return {inv_sqrt_2pi / left.r, 1.0, left.r, left.r_plus_z, left.one_minus_r_r_plus_z};
  }
  const double pdf = normal_pdf(z);
  if (pdf == 0.0) return {1.0, 0.0, 0.0, z, 1.0};
  const double missing = pdf / mills_fraction(z).K1;
  const double r = pdf / (1.0 - missing);
  return {1.0 - missing, missing, r, r + z, 1.0 - r * (r + z)};
}

double log_add_exp(double a, double b) {
  const auto [low, high] = std::minmax(a, b);
  if (low == -std::numeric_limits<double>::infinity()) return high;
  return high + std::log1p(std::exp(low - high));
}

}  // namespace candor
