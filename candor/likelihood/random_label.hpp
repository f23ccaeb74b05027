// SPDX-License-Identifier: MIT
// A label that is right with probability P under the cavity and then recorded wrongly at a rate ε:
//
//   Z = (1 - ε) P + ε/(C-1) (1 - P) = keep P + wrong,   wrong = ε/(C-1),  keep = 1 - ε C/(C-1)
//
// With the shares keep P/Z and wrong/Z, which sum to 1, derivatives of log Z follow from those of
// log P without a logarithm of ε and without cancellation:
//
//   ∇log Z = right ∇log P,   ∇∇log Z = right (∇∇log P + random ∇log P ∇log Pᵀ)
#pragma once

#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

struct RandomLabel {
  LabelMass mass;
  double right;   // keep P/Z
  double random;  // wrong/Z
};

// log_P = log P and missing = 1 - P, each with its own digits.
[[nodiscard]] RandomLabel random_label(Index classes, double flip_rate, double log_P,
                                       double missing);

}  // namespace candor
