// SPDX-License-Identifier: MIT
// How sure the hyperparameters are: the curvature of log evidence + log prior at its top, by
// differences of gradients, and with it the evidence of a model with its hyperparameters
// integrated out instead of chosen well (Laplace's method):
//
//   log ∫ e^F(θ) dθ ≈ F(θ̂) + ½ m log 2π - ½ log|H|,   H = -∇∇F(θ̂)                [RW06, eq. 3.32]
//
// Only coordinates with a prior are treated so.  Rates, whose posterior leans against 0, are
// integrated by quadrature (learning/rate_posterior.hpp).
#pragma once

#include <candor/learning/learn.hpp>
#include <candor/linalg/types.hpp>

#include <functional>
#include <vector>

namespace candor {

struct Mode {
  std::vector<Index> smooth;  // coordinates that are not rates: rows and columns of H
  std::vector<Index> rates;
  Matrix precision;  // H over `smooth`, raised where it is no precision (see raised)
  Matrix slopes;     // ∂²F/∂smooth∂rate: how the others follow a rate, one column per rate
  Index raised = 0;  // directions in which F does not bend down enough to be integrated as it is
  double log_volume = 0.0;  // ½ m log 2π - ½ log|H|
  int evaluations = 0;
  int sweeps = 0;

  // Where the top of F lies when rate k is moved by so much.
  [[nodiscard]] Theta along(const Theta& top, Index rate, double move) const;
};

// `keep_going` is asked before every evaluation; a difference it refuses counts as flat.
[[nodiscard]] Mode mode_of(const Learned& learned, const TrainingSet& data,
                           const std::function<bool()>& keep_going = {});

}  // namespace candor
