// SPDX-License-Identifier: MIT
// RobustMax for two or three classes whose latent values depend on each other under the cavity.
//
// Only differences of classes matter, so the cavity N(m, V) is given in C-1 contrasts g = B f, whose
// noise B e ~ N(0, v₂ I) stays white.  With u_k = f_y - f_k = W g the probability of the label is
// the orthant P(u + noise > 0): Φ for C = 2, Φ₂ for C = 3.  From its gradient and Hessian,
//
//   mean = m + V ∇,  covariance = V + V ∇∇ V,  T = -∇∇ (I + V ∇∇)⁻¹,  ν = ∇ + T mean
//
// Nothing is factorised here: the site is a full (C-1)×(C-1) one, T of any signature.
#pragma once

#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

// B, (C-1)×C with orthonormal rows orthogonal to (1, …, 1): row j compares class j + 1 with the mean
// of the classes before it, (1, …, 1, -(j+1), 0, …)/√((j+1)(j+2)).
[[nodiscard]] Matrix contrasts(Index classes);

struct CoupledTilted : LabelMass {
  Matrix T;           // (C-1)×(C-1), precision of the site
  Vector nu;          // C-1
  Vector mean;        // C-1, of the tilted density
  Matrix covariance;  // (C-1)×(C-1)
};

[[nodiscard]] CoupledTilted tilted_coupled(const RobustMax& likelihood, int y, double flip_rate,
                                           const VectorRef& mean, const MatrixRef& covariance);

// The same where classes are mistaken for each other by different shares, as tilted_confused: no
// share so small that a label which all the others contradict is believed (least_confusion).
[[nodiscard]] CoupledTilted tilted_confused_coupled(const RobustMax& likelihood, int y,
                                                    const VectorRef& recorded,
                                                    const VectorRef& mean,
                                                    const MatrixRef& covariance);

// Of the clean label; they sum to 1.
[[nodiscard]] Vector class_probabilities_coupled(const RobustMax& likelihood, const VectorRef& mean,
                                                 const MatrixRef& covariance);

}  // namespace candor
