// SPDX-License-Identifier: MIT
// The public door: joins a covariance and a likelihood on data, by the engine of one's choice.
//
//   const Approximation q = infer(Ep{}, covariance, likelihood, X, {.y = y});
//
// Columns of X in which numbers are not known, which is NaN, must be standardised: such a number is
// taken to have mean 0 and variance 1 (docs/decisions/0020-unknown-numbers.md).
//
// All input is checked here, before any O(n³) work: InvalidInput names parameter, value and
// requirement.  Memory is 2 n² doubles, 3 n² while sequential EP or Newton's method runs; results
// do not depend on the number of threads.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/approximation.hpp>
#include <candor/inference/ep.hpp>
#include <candor/inference/laplace.hpp>
#include <candor/inference/variational.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <optional>
#include <string_view>
#include <variant>

namespace candor {

using Inference = std::variant<Ep, SequentialEp, Laplace, Variational>;  // the only list of engines

// As options and files name it, "ep"; and in a sentence, "EP".
[[nodiscard]] std::string_view name_of(const Inference& engine);
[[nodiscard]] std::string_view spoken_name(const Inference& engine);
// With the usual options.  InvalidInput that lists the names for one that is none of them.
[[nodiscard]] Inference engine_named(std::string_view name);

[[nodiscard]] Approximation infer(const Inference& inference, const Covariance& covariance,
                                  const Likelihood& likelihood, const Matrix& X,
                                  const Observations& observations,
                                  Threads threads = Threads::all(),
                                  const std::optional<Sites>& warm_start = std::nullopt);

}  // namespace candor
