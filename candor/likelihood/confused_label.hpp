// SPDX-License-Identifier: MIT
// A label recorded as y whose true class k has the probability P_k under the cavity, where labels of
// class k are recorded as y with probability recorded[k]:
//
//   Z = Σ_k recorded[k] P_k,   share[k] = recorded[k] P_k / Z, the true class given y
//
// Derivatives of log Z follow from those of each log P_k by these shares:
//
//   ∇log Z = Σ share ∇log P,   ∇∇log Z = Σ share (∇∇log P + ∇log P ∇log Pᵀ) - ∇log Z ∇log Zᵀ
#pragma once

#include <candor/likelihood/robust_max.hpp>
#include <candor/linalg/types.hpp>

namespace candor {

struct ConfusedLabel {
  LabelMass mass;  // p_random is p_wrong, and no rate has a gradient
  Vector share;    // C, sums to 1
};

// InvalidInput unless 0 ≤ y < C and every recorded[k] lies in (0, 1].
[[nodiscard]] ConfusedLabel confused_label(int y, const VectorRef& recorded,
                                           const VectorRef& log_P);

}  // namespace candor
