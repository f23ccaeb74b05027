// SPDX-License-Identifier: MIT
#include <candor/likelihood/largest_normal.hpp>
#include <candor/likelihood/random_label.hpp>
#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <string>

namespace candor {
namespace {

double largest_rate(Index classes) {
  return static_cast<double>(classes - 1) / static_cast<double>(classes);
}

void check_cavity(const RobustMax& likelihood, const VectorRef& mean, const VectorRef& variance) {
  likelihood.check();
  check_same_size("classes", likelihood.classes, "mean", mean.size());
  check_same_size("classes", likelihood.classes, "variance", variance.size());
  for (Index k = 0; k < mean.size(); ++k) {
    check_finite("mean", mean[k]);
    check_positive("variance", variance[k]);
  }
}

}  // namespace

double RobustMax::random_share() const { return flip_probability / largest_rate(classes); }

void RobustMax::check() const {
  if (classes < 2)
    throw InvalidInput("classes is " + std::to_string(classes) + ", but must be at least 2");
  check_interval("flip_probability", flip_probability, 0.0, largest_rate(classes));
  check_non_negative("noise_variance", noise_variance);
}

void RobustMax::check_row(int y, double flip_rate) const {
  check_interval("class", y, 0.0, static_cast<double>(classes));
  check_interval("flip_rate", flip_rate, 0.0, largest_rate(classes));
}

ClassTilted tilted(const RobustMax& likelihood, int y, double flip_rate, const VectorRef& mean,
                   const VectorRef& variance) {
  check_cavity(likelihood, mean, variance);
  likelihood.check_row(y, flip_rate);
  const Vector noisy = variance.array() + likelihood.noise_variance;
  const LargestNormal clean = largest_normal(y, mean, noisy);
  const auto [mass, right, random] =
      random_label(likelihood.classes, flip_rate, clean.log_P, clean.missing);

  const Index C = likelihood.classes;
  ClassTilted out{mass, Vector(C), Vector(C), Vector(C), Vector(C)};
  for (Index k = 0; k < C; ++k) {
    const double latent = variance[k] / noisy[k];
    const double noise = likelihood.noise_variance / noisy[k];
    const double slope = clean.slope[k];
    const double lost = random == 0.0 ? 0.0 : random * slope * slope;
    const double beta = right * (clean.curvature[k] - lost) / noisy[k];  // -∂² log Z/∂m²
    const double shrink = noise + latent * (random + right * (clean.shrink[k] + lost));  // 1 - Vβ
    const double noisy_mean = random * mean[k] + right * clean.mean[k];
    out.mean[k] = noise * mean[k] + latent * noisy_mean;
    out.variance[k] = variance[k] * shrink;
    out.tau[k] = beta / shrink;
    out.nu[k] = right * slope / std::sqrt(noisy[k]) + out.tau[k] * out.mean[k];
  }
  return out;
}

Vector class_probabilities(const RobustMax& likelihood, const VectorRef& mean,
                           const VectorRef& variance) {
  check_cavity(likelihood, mean, variance);
  const Vector noisy = variance.array() + likelihood.noise_variance;
  Vector p(likelihood.classes);
  for (Index y = 0; y < p.size(); ++y) p[y] = std::exp(log_probability_largest(y, mean, noisy));
  return p / p.sum();  // off 1 by rounding and the quadrature's 1e-12
}

}  // namespace candor
