// SPDX-License-Identifier: MIT
// The posterior of one or two latent values by brute force: what samplers are tested against.
#pragma once

#include <candor/inference/label_factors.hpp>
#include <candor/linalg/types.hpp>

#include <cmath>
#include <numbers>

namespace candor {

struct ExactLatents {
  double log_evidence = 0.0;
  Vector mean, variance;
  Vector p_wrong;  // each row counting for at least one
};

// The trapezium rule in whitened coordinates f = L (a, b), which is exact to rounding for smooth
// integrands; steps of 0.04 resolve a √v₂ of a fifth of the prior's deviation.
inline ExactLatents exact_latents(const LabelFactors& factors, const Matrix& L) {
  const Index n = L.rows();
  const double step = n == 1 ? 0.004 : 0.04, end = 8.0;
  const auto last = static_cast<Index>(end / step);
  double Z = 0.0;
  Vector first = Vector::Zero(n), second = first, wrong = first, whole = first;
  const auto add = [&](const Vector& x) {
    const Vector f = L * x;
    const double mass = std::pow(step / std::sqrt(2.0 * std::numbers::pi), n) *
                        std::exp(-0.5 * x.squaredNorm() + factors.log_p(f));
    Z += mass, first += mass * f, second += mass * f.cwiseAbs2();
    for (Index i = 0; i < n; ++i) {
      const double missing = 1.0 - factors.observations().power_of(i);
      const double full = mass * std::exp(missing * factors.log_p(i, f[i]));
      whole[i] += full, wrong[i] += full * factors.p_wrong(i, f[i]);
    }
  };
  for (Index i = -last; i <= last; ++i) {
    const double a = static_cast<double>(i) * step;
    if (n == 1) {
      add(Vector::Constant(1, a));
      continue;
    }
    for (Index j = -last; j <= last; ++j) add(Vector{{a, static_cast<double>(j) * step}});
  }
  const Vector mean = first / Z;
  return {std::log(Z), mean, second / Z - mean.cwiseAbs2(), wrong.cwiseQuotient(whole)};
}

}  // namespace candor
