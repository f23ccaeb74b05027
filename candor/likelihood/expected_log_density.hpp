// SPDX-License-Identifier: MIT
// What the log density of a row is worth under a normal marginal, for the variational bound:
//
//   E[log p(y|f)],   E[∂ log p/∂f],   E[∂² log p/∂f²],   E[∂ log p/∂(parameter)],   f ~ N(m, v)
//
// The second and third are the first one's derivatives: ∂/∂m, and 2 ∂/∂v [OA09].  Closed
// forms for Gaussian noise and for a pure step; otherwise composite Gauss–Legendre quadrature over
// nine standard deviations, in panels that shrink towards the points where log p bends.  Accurate
// to about 1e-12 of E|·| and 1e-17 of the values at the ends, also where √v₂ ≪ √v makes the bend a
// kink; finite for |m| ≤ 1e6 and 1e-12 ≤ v ≤ 1e12.
#pragma once

#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/site.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

struct ExpectedLogDensity {
  double value = 0.0;
  double d1 = 0.0;
  double d2 = 0.0;
};

// False for a step without noise in a row whose label cannot be wrong: log p is -∞ on one side.
[[nodiscard]] bool has_expected_log_density(const Likelihood& likelihood, const Observation& row);

[[nodiscard]] ExpectedLogDensity expected_log_density(const Likelihood& likelihood,
                                                      const Observation& row, Moments marginal);

// In the likelihood's own order and coordinates.  At a rate of exactly 0 the derivative in it is
// infinite for v ≥ v₂; some finite number stands for it then.
[[nodiscard]] Vector expected_log_density_gradient(const Likelihood& likelihood,
                                                   const Observation& row, Moments marginal);

}  // namespace candor
