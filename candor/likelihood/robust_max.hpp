// SPDX-License-Identifier: MIT
// The robust multi-class likelihood: the label is the class of the largest noisy latent value, or,
// with a small probability, drawn at random [HHD11]:
//
//   p(y | f) = (1 - ρ) P(f_y + e_y > f_k + e_k for all k ≠ y) + ρ/C,   e ~ N(0, v₂ I)
//            = (1 - ε) p_right + ε/(C-1) (1 - p_right),               ρ = ε C/(C-1)
//
// ε is the probability that a label is wrong, ρ that it was drawn at random (and may be right by
// luck).  C = 2 is Threshold in f_1 - f_0, with twice the noise.  Only differences of latent values
// matter: all classes may be shifted together.  Not log-concave for ε > 0: sites may be negative.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

struct RobustMax {
  double flip_probability = 0.0;  // ε, below (C-1)/C
  double noise_variance = 1.0;    // v₂ ≥ 0
  Index classes = 3;              // C ≥ 2

  [[nodiscard]] double random_share() const;  // ρ
  void check() const;
  // InvalidInput unless 0 ≤ y < C and the rate lies in [0, (C-1)/C).
  void check_row(int y, double flip_rate) const;

  bool operator==(const RobustMax&) const = default;
};

// What both forms of the cavity give for the label of a row.
struct LabelMass {
  double log_Z;
  double p_right;        // the clean label is y, given the cavity
  double p_wrong;        // the label is wrong, given y: ε/(C-1) (1 - p_right)/Z
  double p_random;       // ε/(C-1)/Z, which is (ρ/C)/Z
  double rate_gradient;  // ∂ log Z/∂ε of this row's rate, at most 1e300
};

// p(y | f) Π_k N(f_k; m_k, V_k), matched by independent normals.
struct ClassTilted : LabelMass {
  Vector tau, nu;         // C, natural parameters of the site; tau of any sign
  Vector mean, variance;  // C, of the tilted density
};

// The cavity of a row is C independent normals with positive variances.  flip_rate is this row's ε,
// 0 for a trusted row.
[[nodiscard]] ClassTilted tilted(const RobustMax& likelihood, int y, double flip_rate,
                                 const VectorRef& mean, const VectorRef& variance);

// The same where classes are mistaken for each other by different shares: recorded[k] > 0 is the
// probability that a label of class k is recorded as y,
//
//   p(y | f) = Σ_k recorded[k] P(f_k + e_k is the largest)
[[nodiscard]] ClassTilted tilted_confused(const RobustMax& likelihood, int y,
                                          const VectorRef& recorded, const VectorRef& mean,
                                          const VectorRef& variance);

// Of the clean label at a point whose latent values are independent normals; they sum to 1.
[[nodiscard]] Vector class_probabilities(const RobustMax& likelihood, const VectorRef& mean,
                                         const VectorRef& variance);

}  // namespace candor
