// SPDX-License-Identifier: MIT
// The softmax likelihood of C classes, one latent value for each:
//
//   p(y = c | f) = π_c = exp(f_c) / Σ_k exp(f_k),   ∂ log p(y|f)/∂f = e_y - π          [RW06, §3.5]
//
// Only differences of latent values matter: adding a constant to all of them changes nothing.  With
// C = 2 it is the logistic function of f₁ - f₀.  Nothing overflows, however large f is.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

// π, which sums to 1.
[[nodiscard]] Vector softmax(const VectorRef& f);

// log p(y | f), accurate also where π_y underflows.
[[nodiscard]] double log_softmax(const VectorRef& f, Index y);

// ∂ log p(y|f)/∂f = e_y - π.  It sums to 0.
[[nodiscard]] Vector log_softmax_gradient(const VectorRef& f, Index y);

}  // namespace candor
