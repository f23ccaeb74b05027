// SPDX-License-Identifier: MIT
#include <candor/likelihood/largest_normal.hpp>
#include <candor/linalg/gauss_legendre.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace candor {
namespace {

constexpr double negligible = 1e-16;  // share of a sum below which the walk outwards ends
constexpr double zone = 9.0;          // Φ(9) is 1 to rounding: a rival ends there
constexpr double panel_sd = 8.0;      // longest panel in local standard deviations
constexpr double panel_drop = 30.0;   // and in exponents lost along it
constexpr double smooth_mode = 1.0;   // first trapezoidal step in widths of the mode
constexpr double smooth_rival = 1.4;  // and in √s of the sharpest rival
constexpr double half_digits = 3e-7;  // by which two trapezoidal sums may differ
constexpr int most_nodes = 500;       // on either side, far more than are ever needed
constexpr int most_panels = 500;
constexpr double half_log_2pi = 0.9189385332046727;
constexpr double most_steps_per_sd = 4.0;  // of √s_y; where more were needed panels are cheaper

// Another class, by its step Φ(z) with z = z₀ + u/√s at the distance u from the mode.
struct Rival {
  double distance;  // m_k - m_y
  double inv_sd;
  double z0 = 0.0;
  double r0 = 0.0;
  double inv_scaled0 = 1.0;
  double log_cdf0 = 0.0;

  double sum_r = 0.0;   // of r - r₀: what varies, not what is large
  double sum_r2 = 0.0;  // of (r - r₀)²
  double sum_rq = 0.0;  // of r (r + z)
  double sum_p = 0.0;   // of 1 - r (r + z)
  double sum_q = 0.0;   // of r + z
};

struct PullCurvature {
  double pull;       // Σ r/√s      derivative of log Π Φ
  double curvature;  // Σ r(r+z)/s  minus its second derivative
};

class Integral {
 public:
  Integral(Index y, const VectorRef& mean, const VectorRef& variance);
  void sum();
  LargestNormal result(Index y, const VectorRef& mean, const VectorRef& variance) const;

 private:
  PullCurvature at(double x) const;
  void find_mode();
  double trapezoidal_step() const;
  void trapezoid(double step);
  void add_comb(double first, double step);
  void panels(double direction);
  double panel_length(double u, double direction) const;
  void accumulate(double w);
  void add(double u, double quadrature_weight);
  bool is_done(double length) const;

  double s_;         // s_y
  double x0_ = 0.0;  // the mode, from m_y
  double width_ = 0.0;
  double pull0_ = 0.0;
  double cdf0_ = 1.0;      // Π Φ at the mode
  bool is_likely_ = true;  // P may be near 1: 1 - P is summed, too
  std::vector<Rival> rivals_;
  std::vector<NormalFactor> factors_;  // of the rivals, at one node

  double step_ = 1.0;                         // common factor of all quadrature weights
  double weight_ = 0.0, t_ = 0.0, t2_ = 0.0;  // t = u/width
  double pull_ = 0.0, pull2_ = 0.0, curvature_ = 0.0;
  double relevant_ = 0.0;  // of the pull itself, to see where the walk may end
  double missing_ = 0.0;   // of N(v) (1 - Π Φ), relative to N at the mode
  struct {
    double weight = 0.0, relevant = 0.0, missing = 0.0;
  } last_;  // their densities at the last node
};

Integral::Integral(Index y, const VectorRef& mean, const VectorRef& variance) : s_(variance[y]) {
  rivals_.reserve(static_cast<std::size_t>(mean.size() - 1));
  for (Index k = 0; k < mean.size(); ++k)
    if (k != y) rivals_.push_back({mean[k] - mean[y], 1.0 / std::sqrt(variance[k])});
  factors_.resize(rivals_.size());
  find_mode();
}

PullCurvature Integral::at(double x) const {
  PullCurvature total{0.0, 0.0};
  for (const Rival& k : rivals_) {
    const NormalRatios n = normal_ratios((x - k.distance) * k.inv_sd);
    total.pull += n.r * k.inv_sd;
    if (n.r > 0.0) total.curvature += n.r * n.r_plus_z * k.inv_sd * k.inv_sd;
  }
  return total;
}

// The mode solves Σ r/√s = x/s_y.  The difference is convex and falling, and positive at x = 0:
// Newton's method is monotone from there.
void Integral::find_mode() {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const auto [pull, curvature] = at(x0_);
    width_ = 1.0 / std::sqrt(1.0 / s_ + curvature);
    const double step = (pull - x0_ / s_) * width_ * width_;
    x0_ += step;
    if (std::abs(step) <= 1e-2 * width_) break;  // being near the mode is enough
  }
  double log_cdf0 = 0.0;
  for (Rival& k : rivals_) {
    k.z0 = (x0_ - k.distance) * k.inv_sd;
    const NormalFactor f = normal_factor(k.z0);
    k.r0 = f.r;
    k.inv_scaled0 = 1.0 / f.scaled;
    k.log_cdf0 = log_normal_cdf(k.z0);
    pull0_ += f.r * k.inv_sd;
    log_cdf0 += k.log_cdf0;
  }
  cdf0_ = std::exp(log_cdf0);
  is_likely_ = log_cdf0 > -2.0;
}

// Each factor relative to its value at the mode: exponents add, what is left of Φ multiplies.
void Integral::add(double u, double quadrature_weight) {
  const double log_normal = -(u / s_) * (x0_ + 0.5 * u);
  double log_weight = log_normal, scale = 1.0, absent = 0.0;
  double pull = 0.0, curvature = 0.0;
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    const Rival& k = rivals_[i];
    const double z = k.z0 + u * k.inv_sd;
    const NormalFactor& f = factors_[i] = normal_factor(z);
    const double low = std::min(z, 0.0), low0 = std::min(k.z0, 0.0);
    const double change = z < 0.0 && k.z0 < 0.0 ? u * k.inv_sd : low - low0;
    log_weight -= 0.5 * change * (low + low0);
    scale *= f.scaled * k.inv_scaled0;
    absent += f.missing * (1.0 - absent);  // 1 - Π Φ where all z ≥ 0
    pull += f.r * k.inv_sd;
    if (f.r > 0.0) curvature += f.r * f.r_plus_z * k.inv_sd * k.inv_sd;
  }
  const double density = scale * std::exp(log_weight);
  const double w = quadrature_weight * density;
  accumulate(w);
  const double t = u / width_;
  weight_ += w;
  t_ += w * t;
  t2_ += w * t * t;
  pull_ += w * (pull - pull0_);
  pull2_ += w * (pull - pull0_) * (pull - pull0_);
  curvature_ += w * curvature;
  relevant_ += w * pull;
  last_ = {density, density * pull, 0.0};
  if (!is_likely_) return;
  const double normal = std::exp(log_normal);
  // Π Φ is at most ½ where some z < 0, and then 1 - Π Φ loses nothing.
  last_.missing = absent < 1.0 ? normal * absent : normal - density * cdf0_;
  missing_ += quadrature_weight * last_.missing;
}

void Integral::accumulate(double w) {
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    Rival& k = rivals_[i];
    const NormalFactor& f = factors_[i];
    const double change = f.r - k.r0;
    k.sum_r += w * change;
    k.sum_r2 += w * change * change;
    if (f.r > 0.0) k.sum_rq += w * f.r * f.r_plus_z;
    k.sum_p += w * f.one_minus_r_r_plus_z;
    k.sum_q += w * f.r_plus_z;
  }
}

// What lies beyond the last node, about `length` of it, changes no sum: the integrand is log-concave,
// and where a class is near certain the pull lives further out than it does.
bool Integral::is_done(double length) const {
  return last_.weight * length <= negligible * weight_ &&
         last_.relevant * length <= negligible * relevant_;
}

// 0 where panels are the better choice.
double Integral::trapezoidal_step() const {
  const double sd = std::sqrt(s_);
  double step = smooth_mode * width_;
  for (const Rival& k : rivals_)
    if (k.z0 - zone * sd * k.inv_sd < zone) step = std::min(step, smooth_rival / k.inv_sd);
  return step * most_steps_per_sd < sd ? 0.0 : step;
}

// Nodes at first + j step, on both sides.
void Integral::add_comb(double first, double step) {
  for (const double direction : {-1.0, 1.0}) {
    for (int j = 0; j < most_nodes; ++j) {
      add(direction * (first + j * step), 1.0);
      if (is_done(1.0) && last_.missing <= negligible * missing_) break;
    }
  }
}

// Halving the step squares the error at least, so two combs that agree to half of the digits leave
// their union with all of them.
void Integral::trapezoid(double step) {
  add(0.0, 1.0);
  add_comb(step, step);
  for (int halving = 0; halving < 6; ++halving, step *= 0.5) {
    const double before = weight_;
    add_comb(0.5 * step, step);
    if (std::abs(weight_ - 2.0 * before) <= half_digits * before) break;
  }
  step_ = 0.5 * step;
}

// From u on: as far as nothing changes on a shorter scale.  Rivals whose step lies to the left, out
// of reach, do not count until the walk gets there.
double Integral::panel_length(double u, double direction) const {
  double precision = 1.0 / s_;
  double edge = std::numeric_limits<double>::infinity();
  for (const Rival& k : rivals_) {
    const double z = k.z0 + u * k.inv_sd;
    if (z < zone + 0.5)
      precision += k.inv_sd * k.inv_sd;
    else if (direction < 0.0)
      edge = std::min(edge, (z - zone) / k.inv_sd);
  }
  const double slope = std::abs(at(x0_ + u).pull - (x0_ + u) / s_);
  return std::min({panel_sd / std::sqrt(precision), edge, panel_drop / slope});
}

void Integral::panels(double direction) {
  double u = 0.0;
  for (int panel = 0; panel < most_panels; ++panel) {
    const double length = panel_length(u, direction);
    const double half = 0.5 * length;
    for (const auto& [node, weight] : gauss_legendre_30)
      add(u + direction * half * (1.0 - node), half * weight);
    for (const auto& [node, weight] : gauss_legendre_30)
      add(u + direction * half * (1.0 + node), half * weight);
    u += direction * length;
    if (is_done(length)) break;
  }
  if (direction > 0.0 || !is_likely_) return;
  // Left of here the largest is another one, or the normal itself is over.
  const double sd = std::sqrt(s_), z = (x0_ + u) / sd;
  const double left = normal_cdf(z) * sd * std::exp(0.5 * (x0_ / s_) * x0_ + half_log_2pi);
  const double share = last_.missing * std::exp((u / s_) * (x0_ + 0.5 * u));
  missing_ += left * std::min(share, 1.0);
}

void Integral::sum() {
  if (const double step = trapezoidal_step(); step > 0.0) return trapezoid(step);
  panels(-1.0);
  panels(1.0);
}

LargestNormal Integral::result(Index y, const VectorRef& mean, const VectorRef& variance) const {
  const double sd = std::sqrt(s_);
  const double log_normal0 = -0.5 * (x0_ / s_) * x0_ - std::log(sd) - half_log_2pi;
  double log_P = log_normal0 + std::log(weight_ * step_);
  for (const Rival& k : rivals_) log_P += k.log_cdf0;
  log_P = std::min(log_P, 0.0);
  const Index C = mean.size();
  LargestNormal out{log_P, 1.0 - std::exp(log_P), Vector(C), Vector(C), Vector(C), Vector(C)};
  if (is_likely_ && out.missing < 0.5) {
    out.missing = missing_ * step_ * std::exp(log_normal0);
    out.log_P = std::log1p(-out.missing);
  }

  const double t = t_ / weight_;
  const double v = mean[y] + (x0_ + width_ * t);  // E[x_y]
  for (Index k = 0, i = 0; k < C; ++k) {
    if (k == y) continue;
    const Rival& rival = rivals_[static_cast<std::size_t>(i++)];
    const double change = rival.sum_r / weight_;
    const double spread = rival.sum_r2 / weight_ - change * change;  // Var r
    out.slope[k] = -(rival.r0 + change);
    out.curvature[k] = rival.sum_rq / weight_ - spread;
    out.shrink[k] = rival.sum_p / weight_ + spread;
    // m - √s E[r] is v - √s E[r + z]: the smaller correction keeps more digits.
    const double q = rival.sum_q / weight_;
    const double sd_k = std::sqrt(variance[k]);
    out.mean[k] = q < -out.slope[k] ? v - sd_k * q : mean[k] + sd_k * out.slope[k];
  }
  const double ratio = width_ / sd;
  const double pull = pull_ / weight_;
  const double bend = s_ * curvature_ / weight_;
  const double pull_spread = s_ * (pull2_ / weight_ - pull * pull);
  out.slope[y] = sd * (pull0_ + pull);
  out.shrink[y] = ratio * ratio * (t2_ / weight_ - t * t);
  // Whichever of the two differences has the smaller terms.
  out.curvature[y] = bend + pull_spread < 1.0 ? bend - pull_spread : 1.0 - out.shrink[y];
  out.mean[y] = v;
  return out;
}

}  // namespace

LargestNormal largest_normal(Index y, const VectorRef& mean, const VectorRef& variance) {
  Integral integral(y, mean, variance);
  integral.sum();
  return integral.result(y, mean, variance);
}

}  // namespace candor
