// SPDX-License-Identifier: MIT
#include <candor/likelihood/largest_normal.hpp>
#include <candor/linalg/normal.hpp>
#include <candor/linalg/normal_factors.hpp>
#include <candor/linalg/strip.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace candor {
namespace {

constexpr double negligible = 1e-16;  // share of a sum below which the walk outwards ends
constexpr double zone = 9.0;          // Φ(9) is 1 to rounding: a rival ends there
constexpr double panel_sd = 8.0;      // longest panel in local standard deviations
constexpr double panel_drop = 30.0;   // and in exponents lost along it
constexpr double smooth = 0.545;      // trapezoidal step in widths of the integrand
constexpr double steep_side = 2.25;   // where that is taken: so many widths left of the mode
constexpr double smooth_rival = 0.7;  // longest step in √s of the sharpest rival
constexpr double likely = 0.5;        // Π Φ at the mode from which 1 - P is summed, too
constexpr double vanishing = -600.0;  // an exponent below which there is nothing to sum
constexpr double half_digits = 3e-7;  // by which two trapezoidal sums may differ
constexpr int most_strips = 100;      // on either side, far more than are ever needed
constexpr int most_panels = 500;
constexpr double half_log_2pi = 0.9189385332046727;
constexpr double most_steps_per_sd = 8.0;  // of √s_y; where more were needed panels are cheaper

// Another class, by its step Φ(z) with z = z₀ + u/√s at the distance u from the mode.
struct Rival {
  double distance;  // m_k - m_y
  double inv_sd;
  double z0 = 0.0;
  double r0 = 0.0;
  double inv_scaled0 = 1.0;

  Strip sum_r = Strip::Zero();   // of r - r₀: what varies, not what is large
  Strip sum_r2 = Strip::Zero();  // of (r - r₀)²
  Strip sum_rq = Strip::Zero();  // of r (r + z)
  Strip sum_p = Strip::Zero();   // of 1 - r (r + z)
  Strip sum_q = Strip::Zero();   // of r + z
};

struct PullCurvature {
  double pull;       // Σ r/√s      derivative of log Π Φ
  double curvature;  // Σ r(r+z)/s  minus its second derivative
};

enum class Wanted { probability, derivatives };

class Integral {
 public:
  Integral(Wanted wanted, Index y, const VectorRef& mean, const VectorRef& variance);
  struct Probability {
    double log_P, missing;
  };
  Probability probability() const;
  LargestNormal result(Index y, const VectorRef& mean, const VectorRef& variance) const;

 private:
  PullCurvature at(double x);
  void find_mode();
  void stand_at_mode();
  void sum();
  double trapezoidal_step();
  void trapezoid(double step);
  void add_comb(double first, double step);
  void panels(double direction);
  double panel_length(double u, double direction);
  void add(const Strip& u, const Strip& quadrature_weight);
  void add_missing(const Strip& quadrature_weight, const Strip& log_normal, const Strip& absent);
  void add_derivatives(const Strip& u, const Strip& w, const Strip& pull, const Strip& curvature);
  bool is_done(Index lane, double length) const;

  auto of_rival(auto column, std::size_t i) const {
    return column.template segment<lanes>(static_cast<Index>(i) * lanes);
  }

  Wanted wanted_;
  double s_;         // s_y
  double x0_ = 0.0;  // the mode, from m_y
  double width_ = 0.0;
  double pull0_ = 0.0;
  double log_cdf0_ = 0.0;  // log Π Φ at the mode
  double cdf0_ = 1.0;
  bool is_likely_ = true;  // P may be near 1
  std::vector<Rival> rivals_;
  NormalFactors factors_;  // of the rivals one after the other, each at the nodes of a strip

  double step_ = 1.0;  // common factor of all quadrature weights
  Strip weight_ = Strip::Zero();
  Strip t_ = Strip::Zero(), t2_ = Strip::Zero();  // t = u/width
  Strip pull_ = Strip::Zero(), pull2_ = Strip::Zero(), curvature_ = Strip::Zero();
  Strip relevant_ = Strip::Zero();  // of the pull itself, to see where the walk may end
  Strip missing_ = Strip::Zero();   // of N(v) (1 - Π Φ), relative to N at the mode
  struct {
    Strip weight = Strip::Zero(), relevant = Strip::Zero(), missing = Strip::Zero();
  } last_;  // their densities at the nodes of the last strip
};

Integral::Integral(Wanted wanted, Index y, const VectorRef& mean, const VectorRef& variance)
    : wanted_(wanted), s_(variance[y]), factors_(lanes * (mean.size() - 1)) {
  rivals_.reserve(static_cast<std::size_t>(mean.size() - 1));
  for (Index k = 0; k < mean.size(); ++k)
    if (k != y) rivals_.push_back({mean[k] - mean[y], 1.0 / std::sqrt(variance[k])});
  find_mode();
  stand_at_mode();
  sum();
}

PullCurvature Integral::at(double x) {
  const auto count = static_cast<Index>(rivals_.size());
  auto z = factors_.z();
  for (Index i = 0; i < count; ++i) {
    const Rival& k = rivals_[static_cast<std::size_t>(i)];
    z[i] = (x - k.distance) * k.inv_sd;
  }
  factors_.evaluate(count);
  const auto r = factors_.r(), q = factors_.r_plus_z();
  PullCurvature total{0.0, 0.0};
  for (Index i = 0; i < count; ++i) {
    const double inv_sd = rivals_[static_cast<std::size_t>(i)].inv_sd;
    total.pull += r[i] * inv_sd;
    total.curvature += r[i] * q[i] * inv_sd * inv_sd;
  }
  return total;
}

// The mode solves Σ r/√s = x/s_y.  The difference is convex and falling, and positive at x = 0:
// Newton's method is monotone from there.  Being near the mode is enough; a short step alone does not
// say so, since right of a sharp rival the curvature falls to that of the normal.
void Integral::find_mode() {
  constexpr double near = 0.1, shortest = 1e-6;  // in widths
  for (int iteration = 0; iteration < 200; ++iteration) {
    const auto [pull, curvature] = at(x0_);
    const double slope = pull - x0_ / s_;
    width_ = 1.0 / std::sqrt(1.0 / s_ + curvature);
    x0_ += slope * width_ * width_;
    const double length = std::abs(slope) * width_, farthest = slope * slope * s_;
    if (length <= shortest || (length <= near && farthest <= 1.0)) break;
  }
}

void Integral::stand_at_mode() {
  pull0_ = at(x0_).pull;
  double product = 1.0;  // of what is left of Φ without its exponent
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    Rival& k = rivals_[i];
    const auto at_i = static_cast<Index>(i);
    k.z0 = factors_.z()[at_i];
    k.r0 = factors_.r()[at_i];
    const double scaled = factors_.scaled()[at_i], low = std::min(k.z0, 0.0);
    k.inv_scaled0 = 1.0 / scaled;
    log_cdf0_ -= 0.5 * low * low;
    product *= scaled;
    if (product < 1e-200) log_cdf0_ += std::log(std::exchange(product, 1.0));
  }
  log_cdf0_ += std::log(product);
  cdf0_ = std::exp(log_cdf0_);
  is_likely_ = cdf0_ > likely;
}

// Each factor relative to its value at the mode: exponents add, what is left of Φ multiplies.
void Integral::add(const Strip& u, const Strip& quadrature_weight) {
  auto z = factors_.z();
  for (std::size_t i = 0; i < rivals_.size(); ++i)
    of_rival(z, i) = rivals_[i].z0 + u * rivals_[i].inv_sd;
  factors_.evaluate(lanes * static_cast<Index>(rivals_.size()));

  const Strip log_normal = -(u / s_) * (x0_ + 0.5 * u);
  Strip log_weight = log_normal, scale = Strip::Ones(), absent = Strip::Zero();
  Strip pull = Strip::Zero(), curvature = Strip::Zero();
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    const Rival& k = rivals_[i];
    const Strip r = of_rival(factors_.r(), i), missing = of_rival(factors_.missing(), i);
    // min(z, 0) - min(z₀, 0), from u where both are negative.
    const Strip change = (u * k.inv_sd).min(-k.z0) + std::max(k.z0, 0.0);
    const Strip low = of_rival(z, i).min(0.0);
    log_weight -= 0.5 * change * (low + std::min(k.z0, 0.0));
    scale *= of_rival(factors_.scaled(), i) * k.inv_scaled0;
    absent += missing * (1.0 - absent);  // 1 - Π Φ where all z ≥ 0
    pull += r * k.inv_sd;
    curvature += r * of_rival(factors_.r_plus_z(), i) * (k.inv_sd * k.inv_sd);
  }
  const Strip density = scale * log_weight.exp();
  last_.weight = (log_weight > vanishing).select(density, 0.0);
  const Strip w = quadrature_weight * last_.weight;
  weight_ += w;
  if (is_likely_) add_missing(quadrature_weight, log_normal, absent);
  if (wanted_ == Wanted::derivatives) add_derivatives(u, w, pull, curvature);
}

// Π Φ is at most ½ where some z < 0, and then 1 - Π Φ loses nothing.
void Integral::add_missing(const Strip& quadrature_weight, const Strip& log_normal,
                           const Strip& absent) {
  const Strip normal = log_normal.exp();
  last_.missing = (absent < 1.0).select(normal * absent, normal - last_.weight * cdf0_);
  missing_ += quadrature_weight * last_.missing;
}

void Integral::add_derivatives(const Strip& u, const Strip& w, const Strip& pull,
                               const Strip& curvature) {
  const Strip t = u / width_, pull_change = pull - pull0_;
  t_ += w * t;
  t2_ += w * t * t;
  pull_ += w * pull_change;
  pull2_ += w * pull_change * pull_change;
  curvature_ += w * curvature;
  relevant_ += w * pull;
  last_.relevant = last_.weight * pull;
  for (std::size_t i = 0; i < rivals_.size(); ++i) {
    Rival& k = rivals_[i];
    const Strip r = of_rival(factors_.r(), i), q = of_rival(factors_.r_plus_z(), i);
    const Strip change = r - k.r0, weighted = w * change;
    k.sum_r += weighted;
    k.sum_r2 += weighted * change;
    k.sum_rq += w * r * q;
    k.sum_p += w * of_rival(factors_.one_minus_r_r_plus_z(), i);
    k.sum_q += w * q;
  }
}

// What lies beyond the last node, about `length` of it, changes no sum: the integrand is log-concave,
// and where a class is near certain the pull lives further out than it does.
bool Integral::is_done(Index lane, double length) const {
  return last_.weight[lane] * length <= negligible * weight_.sum() &&
         last_.relevant[lane] * length <= negligible * relevant_.sum();
}

// 0 where panels are the better choice.  The Fourier transform of the integrand falls off at least
// like that of a normal whose precision is the sum of all, so no step need be below 0.545 of its
// deviation; the curvature on the steep side of the mode mostly allows a longer one.
double Integral::trapezoidal_step() {
  const double sd = std::sqrt(s_);
  const double steep = at(x0_ - steep_side * width_).curvature;
  double most = 0.0, sharpest = 0.0;
  for (const Rival& k : rivals_) {
    if (k.z0 - zone * sd * k.inv_sd > zone) continue;
    most += k.inv_sd * k.inv_sd;
    sharpest = std::max(sharpest, k.inv_sd);
  }
  double step = smooth / std::sqrt(1.0 / s_ + std::min(steep, most));
  if (sharpest > 0.0) step = std::min(step, smooth_rival / sharpest);
  return step * most_steps_per_sd < sd ? 0.0 : step;
}

// Nodes at (first + j) step, on both sides.
void Integral::add_comb(double first, double step) {
  const Strip node = Strip::LinSpaced(first, first + static_cast<double>(lanes - 1));
  const auto walk = [&](int from, int direction, Index outermost) {
    for (int strip = from; std::abs(strip) < most_strips; strip += direction) {
      add(step * (node + static_cast<double>(strip * lanes)), Strip::Ones());
      if (is_done(outermost, 1.0) && last_.missing[outermost] <= negligible * missing_.sum()) break;
    }
  };
  walk(-1, -1, 0);
  walk(0, 1, lanes - 1);
}

// Halving the step squares the error at least, so two combs that agree to half of the digits leave
// their union with all of them.  The first two are those of the even and of the odd lanes.
void Integral::trapezoid(double step) {
  add_comb(0.0, step);
  double total = weight_.sum();
  double difference = total - 2.0 * weight_(Eigen::seqN(0, lanes / 2, 2)).sum();
  for (int halving = 0; halving < 6 && std::abs(difference) > half_digits * total; ++halving) {
    add_comb(0.5, step);
    difference = weight_.sum() - 2.0 * total;
    total = weight_.sum();
    step *= 0.5;
  }
  step_ = step;
}

// From u on: as far as nothing changes on a shorter scale.  Rivals whose step lies to the left, out
// of reach, do not count until the walk gets there.
double Integral::panel_length(double u, double direction) {
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
    for (Index i = 0; i < PanelRule::strips; ++i)
      add(u + direction * half * panel_rule.nodes(i), half * panel_rule.weights(i));
    u += direction * length;
    if (is_done(lanes - 1, length)) break;
  }
  if (direction > 0.0 || !is_likely_) return;
  // Left of here the largest is another one, or the normal itself is over.
  const double sd = std::sqrt(s_), z = (x0_ + u) / sd;
  const double left = normal_cdf(z) * sd * std::exp(0.5 * (x0_ / s_) * x0_ + half_log_2pi);
  const double share = last_.missing[lanes - 1] * std::exp((u / s_) * (x0_ + 0.5 * u));
  missing_[0] += left * std::min(share, 1.0);
}

void Integral::sum() {
  if (const double step = trapezoidal_step(); step > 0.0) return trapezoid(step);
  panels(-1.0);
  panels(1.0);
}

Integral::Probability Integral::probability() const {
  const double log_normal0 = -0.5 * (x0_ / s_) * x0_ - 0.5 * std::log(s_) - half_log_2pi;
  const double log_P = std::min(log_normal0 + std::log(weight_.sum() * step_) + log_cdf0_, 0.0);
  const double missing = 1.0 - std::exp(log_P);
  if (!is_likely_ || missing > 0.1) return {log_P, missing};
  const double summed = missing_.sum() * step_ * std::exp(log_normal0);
  return {std::log1p(-summed), summed};
}

LargestNormal Integral::result(Index y, const VectorRef& mean, const VectorRef& variance) const {
  const Index C = mean.size();
  const auto [log_P, missing] = probability();
  LargestNormal out{log_P, missing, Vector(C), Vector(C), Vector(C), Vector(C)};
  const double inv_weight = 1.0 / weight_.sum();
  const double t = t_.sum() * inv_weight;
  const double v = mean[y] + (x0_ + width_ * t);  // E[x_y]
  for (Index k = 0, i = 0; k < C; ++k) {
    if (k == y) continue;
    const Rival& rival = rivals_[static_cast<std::size_t>(i++)];
    const double change = rival.sum_r.sum() * inv_weight;
    const double spread = rival.sum_r2.sum() * inv_weight - change * change;  // Var r
    out.slope[k] = -(rival.r0 + change);
    out.curvature[k] = rival.sum_rq.sum() * inv_weight - spread;
    out.shrink[k] = rival.sum_p.sum() * inv_weight + spread;
    // m - √s E[r] is v - √s E[r + z]: the smaller correction keeps more digits.
    const double q = rival.sum_q.sum() * inv_weight;
    const double sd_k = std::sqrt(variance[k]);
    out.mean[k] = q < -out.slope[k] ? v - sd_k * q : mean[k] + sd_k * out.slope[k];
  }
  const double sd = std::sqrt(s_), ratio = width_ / sd;
  const double pull = pull_.sum() * inv_weight;
  const double bend = s_ * curvature_.sum() * inv_weight;
  const double pull_spread = s_ * (pull2_.sum() * inv_weight - pull * pull);
  out.slope[y] = sd * (pull0_ + pull);
  out.shrink[y] = ratio * ratio * (t2_.sum() * inv_weight - t * t);
  // Whichever of the two differences has the smaller terms.
  out.curvature[y] = bend + pull_spread < 1.0 ? bend - pull_spread : 1.0 - out.shrink[y];
  out.mean[y] = v;
  return out;
}

}  // namespace

LargestNormal largest_normal(Index y, const VectorRef& mean, const VectorRef& variance) {
  return Integral(Wanted::derivatives, y, mean, variance).result(y, mean, variance);
}

double log_probability_largest(Index y, const VectorRef& mean, const VectorRef& variance) {
  return Integral(Wanted::probability, y, mean, variance).probability().log_P;
}

}  // namespace candor
