// SPDX-License-Identifier: MIT
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace candor {
namespace {

constexpr double inv_sqrt_2pi = 0.3989422804014327;
constexpr double half_log_2pi = 0.9189385332046727;
constexpr double centre = 4.0;

// Chebyshev coefficients in u = (x-4)/(x+4) of (K₃(x) - x)(x + 4), printed by
// scripts/oracle/normal.py coefficients; the first one left out is below 3e-18.
constexpr std::array series{
    4.838226093006342,       -1.7966291840627064,     -0.15170448390884722,
    0.11342289583333917,     0.005310865027695772,    -0.009073908600639453,
    -0.0003260976800233924,  0.0008120236107427546,   3.652457587448023e-05,
    -7.68477039926807e-05,   -5.35915201032032e-06,   7.432035794088563e-06,
    8.019028070112067e-07,   -7.159429012640293e-07,  -1.1411668582642765e-07,
    6.71403208211179e-08,    1.5275091627328207e-08,  -5.97601858702153e-09,
    -1.9239639075523584e-09, 4.867284746999855e-10,   2.2822977304416027e-10,
    -3.369658809467599e-11,  -2.5478524846182764e-11, 1.5415224084404345e-12,
    2.6692084793503097e-12,  4.7779860120294263e-14,  -2.6108026943919936e-13,
    -2.4844568997288965e-14, 2.3648362025776172e-14,  4.250001550435632e-15,
    -1.957638458101618e-15,  -5.577863546871022e-16,  1.4462420374511873e-16,
    6.359137908842823e-17,   -9.038975222801693e-18,  -6.6046461226052366e-18,
};

// Two independent recurrences, one for the even and one for the odd coefficients, halve the latency
// of Clenshaw's: T_{2k}(u) = T_k(t) and T_{2k+1}(u) = u (T_k(t) + …) with t = 2u² - 1.
double chebyshev(double u) {
  const double two_t = 4.0 * u * u - 2.0;
  double even = 0.0, even_next = 0.0, odd = 0.0, odd_next = 0.0;
  static_assert(series.size() % 2 == 0);
  for (std::size_t k = series.size() - 2; k > 0; k -= 2) {
    even_next = std::exchange(even, series[k] + two_t * even - even_next);
    odd_next = std::exchange(odd, series[k + 1] + two_t * odd - odd_next);
  }
  const double even_sum = series[0] + 0.5 * two_t * even - even_next;
  // Σ c_{2k+1} T_{2k+1}(u) = u Σ c_{2k+1} V_k(t), and V_0 = 1, V_1 = 2t - 1.
  const double odd_sum = u * (series[1] + (two_t - 1.0) * odd - odd_next);
  return even_sum + odd_sum;
}

// The continued fraction of the Mills ratio, Φ(-x)/φ(x) = 1/K₁ with K_j = x + j/K_{j+1}, for x ≥ 0.
// From K₃ down nothing is subtracted from anything nearly equal.
struct MillsFraction {
  double K1, K2, K3;
  double K3_minus_x;
};
MillsFraction mills_fraction(double x) {
  const double distance = x + centre;
  const double K3_minus_x = chebyshev(1.0 - 2.0 * centre / distance) / distance;
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
