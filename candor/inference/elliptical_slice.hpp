// SPDX-License-Identifier: MIT
// Elliptical slice sampling: a move that leaves N(f; μ, A) exp(log_factor(f)) as it is, with nothing
// to tune [MAM10, figure 2].
//
//   f' = μ + (f - μ) cos θ + ν sin θ,   ν ~ N(0, A)
//
// θ is drawn from a bracket that shrinks towards 0, where f' = f, until log_factor(f') is above
// log_factor(f) + log u: a move every time, but where the bracket ends up as narrow as rounding.
// With the prior for N(μ, A) the factor is the likelihood; with any other Gaussian it is what that
// one has left over [FBC16].
#pragma once

#include <candor/linalg/random.hpp>
#include <candor/linalg/types.hpp>

#include <functional>

namespace candor {

using LogFactor = std::function<double(const Vector& f)>;

// Moves f; `log_at_f` is log_factor(f), and what is returned is that of the new one.  Where it is
// -∞, every f' will do: the move wanders through N(μ, A) until it meets a possible f, which it may
// never do.  Whoever calls must look.
[[nodiscard]] double elliptical_slice(Vector& f, double log_at_f, const Vector& mean,
                                      const VectorRef& deviation, const LogFactor& log_factor,
                                      Random& random);

}  // namespace candor
