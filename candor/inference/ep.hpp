// SPDX-License-Identifier: MIT
// Expectation propagation, with a ladder of methods for problems on which the usual loop fails:
//
//   parallel      parallel EP, damped and accelerated; near the fixed point Newton's method
//   sequential    damped sequential EP
//   root_finder   Newton's method by continuation in v₂ or in ε
//
// and of more than two classes parallel and continuation (inference/multiclass_ep.hpp).
//
// A likelihood with label errors (ε > 0) is not log-concave.  Its sites may be negative, its fixed
// points repelling, several, or none; the outcome says which rung succeeded, or that none did, and
// then carries the proper state with the smallest residual.
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

#include <optional>
#include <string_view>

namespace candor {

struct Ep {
  double tolerance = 1e-8;  // on the residual; the evidence is then right to its square
  int max_sweeps = 150;     // of parallel EP
  int max_sequential_sweeps = 60;
  // The root finder may take some hundred sweeps: larger tables end before it.  Continuation of
  // many classes may take more than a thousand, and is left out above half as many
  // `rows_of_two_classes`.
  Index max_root_finder_rows = 4000;
  // Climb every rung and keep the fixed point of best evidence, even if the first one converged.
  bool explore = false;
  // More than two classes have one loop and continuation (inference/multiclass_ep.hpp).  There
  // max_sequential_sweeps = 0 leaves out the loop's later tries, max_root_finder_rows = 0
  // continuation, and `explore` means nothing.

  static constexpr std::string_view name = "ep";
  static constexpr std::string_view spoken_name = "EP";
};

// The papers' loop by itself: no ladder.  max_sweeps = 1 is assumed-density filtering; the evidence
// is then that of the sites it leaves, not the product of the Z_i met on the way.
struct SequentialEp {
  double damping = 1.0;
  double tolerance = 1e-8;
  int max_sweeps = 150;

  static constexpr std::string_view name = "sequential_ep";
  static constexpr std::string_view spoken_name = "sequential EP";
};

// `warm_start` only says where to begin looking; where there are several fixed points, it may lead
// to another one.
[[nodiscard]] Approximation run(const Ep& engine, const Likelihood& likelihood,
                                const Observations& observations, SitePosterior posterior,
                                const std::optional<Sites>& warm_start = std::nullopt);
[[nodiscard]] Approximation run(const SequentialEp& engine, const Likelihood& likelihood,
                                const Observations& observations, SitePosterior posterior,
                                const std::optional<Sites>& warm_start = std::nullopt);

}  // namespace candor
