// SPDX-License-Identifier: MIT
#include <candor/linalg/bivariate_normal.hpp>
#include <candor/linalg/normal.hpp>
#include <candor/linalg/normal_factors.hpp>
#include <candor/linalg/strip.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace candor {
namespace {

constexpr double half_log_2pi = 0.9189385332046727;
constexpr double negligible = 1e-18;  // share of the sum below which the walk outwards ends
constexpr double zone = 9.0;          // Φ(9) is 1 to rounding
constexpr double panel_sd = 8.0;      // longest panel in local standard deviations
constexpr double panel_drop = 30.0;   // and in exponents lost along it
constexpr int most_panels = 200;

enum class Wanted { probability, moments };

// g(t) = φ(a - t) Φ(z), z = z_b + κ t, for t ≥ 0: the density of a - X, relative to its largest
// value at t₀.
class Integral {
 public:
  Integral(Wanted wanted, double a, double b, const Correlation& correlation)
      : wanted_(wanted),
        a_(a),
        kappa_(correlation.r / correlation.complement),
        z_b_((b - correlation.r * a) / correlation.complement) {
    find_mode();
    walk(1.0);
    if (t0_ > 0.0) walk(-1.0);
  }

  double log_cdf() const {
    const double x = a_ - t0_;
    return -0.5 * x * x - half_log_2pi + log_normal_cdf(z0_) + std::log(weight_.sum());
  }
  double mean_t() const { return t0_ + mean(t_); }
  double mean_q() const { return q0_ + mean(q_); }  // q = z - E[ξ | ξ < z]
  double variance_t() const { return mean(t2_) - mean(t_) * mean(t_); }
  double variance_q() const { return mean(q2_ + p_) - mean(q_) * mean(q_); }
  double covariance_tq() const { return mean(tq_) - mean(t_) * mean(q_); }

 private:
  double mean(const Strip& sum) const { return sum.sum() / weight_.sum(); }
  void find_mode();
  void walk(double direction);
  void add(const Strip& u, const Strip& quadrature_weight, Index at);
  double panel_length(double u, double direction) const;

  Wanted wanted_;
  double a_, kappa_, z_b_;
  double t0_ = 0.0, z0_ = 0.0, q0_ = 0.0, inv_scaled0_ = 1.0;
  NormalFactors factors_{PanelRule::strips * lanes};
  Strip weight_ = Strip::Zero();
  Strip t_ = Strip::Zero(), t2_ = Strip::Zero();                       // of t - t₀
  Strip q_ = Strip::Zero(), q2_ = Strip::Zero(), tq_ = Strip::Zero();  // of q - q₀
  Strip p_ = Strip::Zero();                                            // of 1 - r(r+z)
  double last_ = 0.0;  // the density at the last node
};

// log g is concave and its derivative is convex or concave: Newton's method is monotone after at
// most one step.  The mode is at 0 where g falls from there on.
void Integral::find_mode() {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const NormalRatios n = normal_ratios(z_b_ + kappa_ * t0_);
    const double slope = (a_ - t0_) + kappa_ * n.r;
    const double bend = 1.0 + (n.r > 0.0 ? kappa_ * kappa_ * n.r * n.r_plus_z : 0.0);
    const double before = t0_;
    t0_ = std::max(0.0, t0_ + slope / bend);
    if (std::abs(t0_ - before) <= 1e-2 / std::sqrt(bend)) break;  // being near the mode is enough
  }
  z0_ = z_b_ + kappa_ * t0_;
  const NormalFactor f = normal_factor(z0_);
  q0_ = f.r_plus_z;
  inv_scaled0_ = 1.0 / f.scaled;
}

// The factors of the nodes are those from `at` on.
void Integral::add(const Strip& u, const Strip& quadrature_weight, Index at) {
  const Strip z = factors_.z().segment<lanes>(at);
  // min(z, 0) - min(z₀, 0), from u where both are negative.
  const Strip change = (kappa_ * u).min(-z0_) + std::max(z0_, 0.0);
  const Strip log_density =
      u * ((a_ - t0_) - 0.5 * u) - 0.5 * change * (z.min(0.0) + std::min(z0_, 0.0));
  const Strip scaled = factors_.scaled().segment<lanes>(at) * inv_scaled0_;
  const Strip density = scaled * log_density.exp();
  const Strip w = quadrature_weight * density;
  last_ = density[lanes - 1];
  weight_ += w;
  if (wanted_ == Wanted::probability) return;
  const Strip q = factors_.r_plus_z().segment<lanes>(at) - q0_;
  const Strip wu = w * u, wq = w * q;
  t_ += wu;
  t2_ += wu * u;
  q_ += wq;
  q2_ += wq * q;
  tq_ += wu * q;
  p_ += w * factors_.one_minus_r_r_plus_z().segment<lanes>(at);
}

double Integral::panel_length(double u, double direction) const {
  const double z = z0_ + kappa_ * u;
  const bool in_zone = z < zone + 0.5;
  double edge = direction < 0.0 ? t0_ + u : std::numeric_limits<double>::infinity();
  if (!in_zone && direction * kappa_ < 0.0) edge = std::min(edge, (z - zone) / std::abs(kappa_));
  const double slope = (a_ - t0_ - u) + kappa_ * normal_ratios(z).r;
  const double sd = 1.0 / std::sqrt(1.0 + (in_zone ? kappa_ * kappa_ : 0.0));
  return std::min({panel_sd * sd, edge, panel_drop / std::abs(slope)});
}

void Integral::walk(double direction) {
  double u = 0.0;
  for (int panel = 0; panel < most_panels; ++panel) {
    const double length = panel_length(u, direction);
    const double half = 0.5 * length;
    const auto node = [&](Index i) -> Strip { return u + direction * half * panel_rule.nodes(i); };
    for (Index i = 0; i < PanelRule::strips; ++i)
      factors_.z().segment<lanes>(i * lanes) = z0_ + kappa_ * node(i);
    factors_.evaluate(PanelRule::strips * lanes);
    for (Index i = 0; i < PanelRule::strips; ++i)
      add(node(i), half * panel_rule.weights(i), i * lanes);
    u += direction * length;
    const bool at_bound = direction < 0.0 && t0_ + u <= 1e-15 * t0_;
    if (at_bound || last_ * length <= negligible * weight_.sum()) break;
  }
}

}  // namespace

Correlation correlation(double r) { return {r, std::sqrt((1.0 - r) * (1.0 + r))}; }

BivariateNormal bivariate_normal(double a, double b, const Correlation& correlation) {
  if (a > b) {
    BivariateNormal swapped = bivariate_normal(b, a, correlation);
    std::swap(swapped.slope_a, swapped.slope_b);
    std::swap(swapped.gap_a, swapped.gap_b);
    std::swap(swapped.variance_a, swapped.variance_b);
    return swapped;
  }
  const auto [r, c] = correlation;
  const Integral integral(Wanted::moments, a, b, correlation);
  double log_cdf = std::min(integral.log_cdf(), 0.0);
  double missing = -std::expm1(log_cdf);
  if (missing < 0.5) {  // P(X > a) + P(X < a, Y > b)
    missing = normal_cdf(-a) + std::exp(Integral(Wanted::probability, a, -b, {-r, c}).log_cdf());
    log_cdf = std::log1p(-missing);
  }
  const double log_pdf_a = -0.5 * a * a - half_log_2pi;
  const double log_pdf_b = -0.5 * b * b - half_log_2pi;
  const double z_b = (b - r * a) / c, z_a = (a - r * b) / c;
  return {log_cdf,
          missing,
          std::exp(log_pdf_a + log_normal_cdf(z_b) - log_cdf),
          std::exp(log_pdf_b + log_normal_cdf(z_a) - log_cdf),
          std::exp(log_pdf_a - 0.5 * z_b * z_b - half_log_2pi - log_cdf) / c,
          integral.mean_t(),
          c * integral.mean_q(),
          integral.variance_t(),
          c * c * integral.variance_q(),
          c * integral.covariance_tq()};
}

}  // namespace candor
