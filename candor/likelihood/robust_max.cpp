// SPDX-License-Identifier: MIT
#include <candor/likelihood/confused_label.hpp>
#include <candor/likelihood/largest_normal.hpp>
#include <candor/likelihood/random_label.hpp>
#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <cmath>
#include <string>
#include <vector>

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

// Of f + e under the tilted density, as LargestNormal has them under an event: per class, in units
// of √(V + v₂).
struct NoisyMoments {
  Vector slope, curvature, shrink, mean;
};

ClassTilted matched(const LabelMass& mass, double noise_variance, const VectorRef& mean,
                    const VectorRef& variance, const NoisyMoments& tilted) {
  const Index C = mean.size();
  ClassTilted out{mass, Vector(C), Vector(C), Vector(C), Vector(C)};
  for (Index k = 0; k < C; ++k) {
    const double noisy = variance[k] + noise_variance;
    const double latent = variance[k] / noisy, noise = noise_variance / noisy;
    const double beta = tilted.curvature[k] / noisy;          // -∂² log Z/∂m²
    const double shrink = noise + latent * tilted.shrink[k];  // 1 - Vβ
    out.mean[k] = noise * mean[k] + latent * tilted.mean[k];
    out.variance[k] = variance[k] * shrink;
    out.tau[k] = beta / shrink;
    out.nu[k] = tilted.slope[k] / std::sqrt(noisy) + out.tau[k] * out.mean[k];
  }
  return out;
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
  Vector lost = Vector::Zero(mean.size());
  if (random != 0.0) lost = random * clean.slope.cwiseAbs2();
  return matched(mass, likelihood.noise_variance, mean, variance,
                 {.slope = right * clean.slope,
                  .curvature = right * (clean.curvature - lost),
                  .shrink = (random + right * (clean.shrink + lost).array()).matrix(),
                  .mean = random * mean + right * clean.mean});
}

ClassTilted tilted_confused(const RobustMax& likelihood, int y, const VectorRef& recorded,
                            const VectorRef& mean, const VectorRef& variance) {
  check_cavity(likelihood, mean, variance);
  const Index C = likelihood.classes;
  const Vector noisy = variance.array() + likelihood.noise_variance;
  std::vector<LargestNormal> events;
  Vector log_P(C);
  for (Index k = 0; k < C; ++k) {
    events.push_back(largest_normal(k, mean, noisy));
    log_P[k] = events.back().log_P;
  }
  const ConfusedLabel label = confused_label(y, recorded, log_P);
  const Vector zero = Vector::Zero(C);
  NoisyMoments all{zero, zero, zero, zero};
  for (Index k = 0; k < C; ++k) {
    const LargestNormal& event = events[static_cast<std::size_t>(k)];
    all.slope += label.share[k] * event.slope;
    all.curvature += label.share[k] * event.curvature;
    all.shrink += label.share[k] * event.shrink;
    all.mean += label.share[k] * event.mean;
  }
  Vector between = zero;  // variance of the slopes
  for (Index k = 0; k < C; ++k) {
    const LargestNormal& event = events[static_cast<std::size_t>(k)];
    between += label.share[k] * (event.slope - all.slope).cwiseAbs2();
  }
  all.curvature -= between;
  all.shrink += between;
  return matched(label.mass, likelihood.noise_variance, mean, variance, all);
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
