// SPDX-License-Identifier: MIT
// One observation and the one-dimensional Gaussians that inference exchanges with a likelihood.
#pragma once

#include <limits>

namespace candor {

// A normal density by its moments.
struct Moments {
  double mean = 0.0;
  double variance = 1.0;
};

// exp(ν f - ½ τ f²) by natural parameters.  Densities multiply and divide by adding and subtracting
// these; τ may be negative (a site), and is positive for a proper density (a cavity, a marginal).
struct Natural {
  double tau = 0.0;  // precision
  double nu = 0.0;   // precision × mean
};
constexpr Natural operator*(Natural a, Natural b) { return {a.tau + b.tau, a.nu + b.nu}; }
constexpr Natural operator/(Natural a, Natural b) { return {a.tau - b.tau, a.nu - b.nu}; }
constexpr Natural to_natural(Moments m) { return {1.0 / m.variance, m.mean / m.variance}; }
constexpr Moments to_moments(Natural n) { return {n.nu / n.tau, 1.0 / n.tau}; }

inline constexpr double rate_not_known = std::numeric_limits<double>::quiet_NaN();

// What a likelihood sees of one row.
struct Observation {
  double y = 1.0;                           // ±1 for classifiers, any number for Gaussian noise
  double known_flip_rate = rate_not_known;  // overrides the model's rates for this row; 0: trusted
};

// p(y | f) N(f; cavity), normalised by Z and matched by cavity × site.
struct Tilted {
  double log_Z = 0.0;
  Natural site;     // the Gaussian factor whose product with the cavity has the tilted moments
  Moments moments;  // of the tilted density
};

// log p(y | f) and its derivatives in f.
struct LogDensity {
  double value = 0.0;
  double d1 = 0.0;
  double d2 = 0.0;
  double d3 = 0.0;
};

// Probabilities of the positive class at a point whose latent value is normal.
struct LabelProbabilities {
  double sign = 0.5;      // f > 0
  double clean = 0.5;     // the label before any flip
  double observed = 0.5;  // the label as it would be recorded
};

}  // namespace candor
