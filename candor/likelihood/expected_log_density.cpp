// SPDX-License-Identifier: MIT
#include <candor/likelihood/bends.hpp>
#include <candor/likelihood/expected_log_density.hpp>
#include <candor/likelihood/flipped_step_shares.hpp>
#include <candor/linalg/gauss_legendre.hpp>
#include <candor/linalg/normal.hpp>
#include <candor/linalg/normal_factors.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace candor {
namespace {

constexpr double reach = 9.0;  // standard deviations: what is beyond has a mass of 1e-18

// A point on the line of x = y f, and the same in deviations from the mean: where one of the two
// has few digits, next to a bend or in a narrow marginal, the other has all.
struct Place {
  double x, t;
};

// The nodes for a normal x ~ N(m, sd²), in panels from the bends outwards.
class Nodes {
 public:
  Nodes(const std::array<Bend, 2>& bends, double m, double sd) : bends_(bends), m_(m), sd_(sd) {}

  // Calls visit(x, t, mass); the masses add up to √(2π).
  template <class Visit>
  void for_each(const Visit& visit) const {
    const Place left = place_of(bends_[0]), right = place_of(bends_[1]);
    const double half = 0.5 * (right.x - left.x) / sd_;  // a difference of t has fewer digits
    walk(left, -1.0, reach + left.t, visit);
    walk(left, 1.0, half, visit);
    walk(right, -1.0, half, visit);
    walk(right, 1.0, reach - right.t, visit);
  }

 private:
  // The bend, or the end that is nearest to it.
  [[nodiscard]] Place place_of(const Bend& bend) const {
    const double t = (bend.at - m_) / sd_;
    if (std::abs(t) < reach) return {bend.at, t};
    const double end = std::copysign(reach, t);
    return {m_ + end * sd_, end};
  }

  // Ten deviations are as much of a normal density as the nodes of a panel follow.
  [[nodiscard]] double longest_panel(double x) const {
    double length = 10.0 * sd_;
    for (const Bend& bend : bends_) {
      length = std::min(length, bend.longest_panel(std::abs(x - bend.at)));
    }
    return length / sd_;
  }

  template <class Visit>
  void walk(const Place& from, double direction, double all, const Visit& visit) const {
    for (double done = 0.0; done < all;) {
      double next = std::min(all, done + longest_panel(from.x + direction * done * sd_));
      if (next == done) next = all;  // a panel lost in rounding would be walked for ever
      visit_panel(from, direction * done, direction * next, visit);
      done = next;
    }
  }

  template <class Visit>
  void visit_panel(const Place& from, double low, double high, const Visit& visit) const {
    const double half = 0.5 * (high - low), centre = 0.5 * (high + low);
    const auto visit_node = [&](double step, double quadrature_weight) {
      const double t = from.t + step;
      visit(from.x + step * sd_, t, quadrature_weight * std::abs(half) * std::exp(-0.5 * t * t));
    };
    for (const auto& [node, weight] : gauss_legendre_30) {
      visit_node(centre - half * node, weight);
      visit_node(centre + half * node, weight);
    }
  }

  const std::array<Bend, 2> bends_;
  double m_, sd_;
};

struct Sums {
  double mass = 0.0, value = 0.0, d1 = 0.0, d2 = 0.0, d2_size = 0.0, d1_t = 0.0, d1_t_size = 0.0;

  // At t, with this log density as a function of x.
  void add(double t, double w, double log_p, double slope, double bend) {
    mass += w;
    value += w * log_p;
    d1 += w * slope;
    d2 += w * bend;
    d2_size += w * std::abs(bend);
    d1_t += w * slope * t;
    d1_t_size += w * std::abs(slope * t);
  }

  // E[∂²] = E[∂ t]/√v, of which the one is taken that is rounded less: a kink's ∂² is large and
  // cancels, while ∂ is smooth; over a narrow marginal it is the other way round.
  [[nodiscard]] ExpectedLogDensity expectations(double y, double sd) const {
    const bool is_smooth = d2_size * sd <= d1_t_size;
    return {value / mass, y * d1 / mass, (is_smooth ? d2 : d1_t / sd) / mass};
  }
};

template <class L>
ExpectedLogDensity by_quadrature(const L& likelihood, const Observation& row, Moments marginal) {
  const double sd = std::sqrt(marginal.variance);
  Sums sums;
  Nodes(bends_of(likelihood, row), row.y * marginal.mean, sd)
      .for_each([&](double x, double t, double w) {
        const LogDensity p = likelihood.log_density(row, row.y * x);
        sums.add(t, w, p.value, row.y * p.d1, p.d2);
      });
  return sums.expectations(row.y, sd);
}

// log p of a soft step at z, and r and r + z there, as ratios() in flipped_step has them.
struct StepAt {
  double log_p, r, r_plus_z;
};
StepAt step_at(const FlippedStep& step, double z, double scaled, double missing, double r0,
               double q0) {
  const double fall = z < 0.0 ? -0.5 * z * z : 0.0;  // what `scaled` leaves out of Φ
  if (step.wrong == 0.0) {
    const double log_same = z < 0.0 ? std::log(scaled) + fall : std::log1p(-missing);
    return {std::log1p(-step.missed) + log_same, r0, q0};
  }
  const double same = scaled * std::exp(fall);
  const FlippedStepShares at = shares_of(step, same, z < 0.0 ? 1.0 - same : missing);
  return {at.log_Z, at.rho * r0, q0 - at.omega * r0};
}

// The same by linalg's loop over many z, which is several times faster.
ExpectedLogDensity by_quadrature(const FlippedStep& step, double noise_variance, double y,
                                 Moments marginal) {
  constexpr Index most = 64;
  const double sd = std::sqrt(marginal.variance), noise_sd = std::sqrt(noise_variance);
  NormalFactors at(most);
  Eigen::Array<double, most, 1> ts, ws;
  Index count = 0;
  Sums sums;
  const auto add_all = [&] {
    at.evaluate(count);
    for (Index i = 0; i < count; ++i) {
      const StepAt p =
          step_at(step, at.z()[i], at.scaled()[i], at.missing()[i], at.r()[i], at.r_plus_z()[i]);
      sums.add(ts[i], ws[i], p.log_p, p.r / noise_sd, -p.r * p.r_plus_z / noise_variance);
    }
    count = 0;
  };
  Nodes(bends_of(step, noise_variance), y * marginal.mean, sd)
      .for_each([&](double x, double t, double w) {
        at.z()[count] = x / noise_sd;
        ts[count] = t;
        ws[count] = w;
        if (++count == most) add_all();
      });
  if (count > 0) add_all();
  return sums.expectations(y, sd);
}

template <class L>
Vector gradient_by_quadrature(const L& likelihood, const Observation& row, Moments marginal) {
  Vector sum = Vector::Zero(static_cast<Index>(std::tuple_size_v<decltype(L::parameters())>));
  double mass = 0.0;
  Nodes(bends_of(likelihood, row), row.y * marginal.mean, std::sqrt(marginal.variance))
      .for_each([&](double x, double /*t*/, double w) {
        const Moments known{row.y * x, 0.0};
        sum += w * likelihood.log_Z_gradient(row, known);  // log Z of a known f is log p(y|f)
        mass += w;
      });
  return sum / mass;
}

// log p is log wrong to the left of 0 and log(1 - missed) to its right: with z = y m/√v,
// E[log p] = log(1 - missed) Φ(z) + log wrong Φ(-z).
template <IsNoisyStep L>
ExpectedLogDensity of_step(const L& likelihood, const Observation& row, Moments marginal) {
  const FlippedStep step = step_of(likelihood, row);
  const double low = std::log(step.wrong), high = std::log1p(-step.missed);
  const double sd = std::sqrt(marginal.variance), z = row.y * marginal.mean / sd;
  const double slope = (high - low) * normal_pdf(z) / sd;
  return {high * normal_cdf(z) + low * normal_cdf(-z), row.y * slope, -(z / sd) * slope};
}

template <IsNoisyStep L>
Vector gradient_of_step(const L& likelihood, const Observation& row, Moments marginal) {
  const double z = row.y * marginal.mean / std::sqrt(marginal.variance);
  L soft = likelihood;
  if constexpr (requires { soft.noise_variance; }) soft.noise_variance = 1.0;
  constexpr double far = 1e3;
  const auto side = [&](double x, double share) -> Vector {
    return share * soft.log_Z_gradient(row, {row.y * x, 0.0});
  };
  return side(-far, normal_cdf(-z)) + side(far, normal_cdf(z));
}

template <IsNoisyStep L>
bool is_step(const L& likelihood, const Observation& row, Moments marginal) {
  return step_of(likelihood, row).wrong > 0.0 && is_pure_step(likelihood, marginal);
}

ExpectedLogDensity expected(const Gaussian& likelihood, const Observation& row, Moments marginal) {
  const LogDensity p = likelihood.log_density(row, marginal.mean);
  return {p.value + 0.5 * marginal.variance * p.d2, p.d1, p.d2};
}

Vector expected_gradient(const Gaussian& likelihood, const Observation& row, Moments marginal) {
  const Vector at_mean = likelihood.log_Z_gradient(row, {marginal.mean, 0.0});
  return at_mean.array() + 0.5 * marginal.variance / likelihood.noise_variance;
}

template <class L>
ExpectedLogDensity expected(const L& likelihood, const Observation& row, Moments marginal) {
  if constexpr (IsNoisyStep<L>) {
    if (is_step(likelihood, row, marginal)) return of_step(likelihood, row, marginal);
    constexpr double underflowing = 1e-200;  // a rate next to which Φ may not be dropped
    const FlippedStep step = step_of(likelihood, row);
    if (step.wrong == 0.0 || step.wrong > underflowing) {
      return by_quadrature(step, noise_of(likelihood), row.y, marginal);
    }
  }
  return by_quadrature(likelihood, row, marginal);
}

template <class L>
Vector expected_gradient(const L& likelihood, const Observation& row, Moments marginal) {
  if constexpr (IsNoisyStep<L>) {
    if (is_step(likelihood, row, marginal)) return gradient_of_step(likelihood, row, marginal);
  }
  return gradient_by_quadrature(likelihood, row, marginal);
}

template <class L>
bool is_finite(const L& likelihood, const Observation& row) {
  if constexpr (IsNoisyStep<L>) {
    return noise_of(likelihood) > 0.0 || step_of(likelihood, row).wrong > 0.0;
  }
  return true;
}

}  // namespace

bool has_expected_log_density(const Likelihood& likelihood, const Observation& row) {
  return std::visit([&](const auto& l) { return is_finite(l, row); }, likelihood);
}

ExpectedLogDensity expected_log_density(const Likelihood& likelihood, const Observation& row,
                                        Moments marginal) {
  return std::visit([&](const auto& l) { return expected(l, row, marginal); }, likelihood);
}

Vector expected_log_density_gradient(const Likelihood& likelihood, const Observation& row,
                                     Moments marginal) {
  return std::visit([&](const auto& l) -> Vector { return expected_gradient(l, row, marginal); },
                    likelihood);
}

}  // namespace candor
