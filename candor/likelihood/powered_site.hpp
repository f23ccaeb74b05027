// SPDX-License-Identifier: MIT
// A row that counts for less than one: its factor is p(y|f)^w with a weight 0 < w < 1.
//
//   Z = ∫ p(y|f)^w N(f; m, v) df,   and the Gaussian site that matches p^w against that cavity
//
// Closed forms for Gaussian noise and for a pure step; otherwise composite Gauss–Legendre
// quadrature over the support of the integrand, in panels that shrink towards the points where
// log p bends.  Site and moments are accurate to about 1e-11 in units of the tilted density, and
// finite for |m| ≤ 1e6 and 1e-12 ≤ v ≤ 1e12.  p^w is flatter than p: τ̃ and ν̃ are of order w.
// Derivation: docs/math/likelihood.md.
#pragma once

#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

// 0 < power ≤ 1; at 1 the same as the likelihood's own, by a longer way.
[[nodiscard]] Tilted powered_tilted(const Likelihood& likelihood, const Observation& row,
                                    double power, Moments cavity);

// ∂ log Z/∂(parameter) at a fixed cavity, in the likelihood's own order and coordinates.  At a rate
// of exactly 0 the derivative in it may be infinite (ε^w); some finite number stands for it then.
[[nodiscard]] Vector powered_log_Z_gradient(const Likelihood& likelihood, const Observation& row,
                                            double power, Moments cavity);

}  // namespace candor
