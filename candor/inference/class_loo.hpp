// SPDX-License-Identifier: MIT
// What EP says of each label of many classes by the other rows, from the cavities and Z_i of a
// fixed point (inference/multiclass_ep.hpp).
#pragma once

#include <candor/inference/approximation.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/likelihood/robust_max.hpp>

namespace candor {

// n×C: of each row's label before any error, by the other rows.  C integrals a row.
[[nodiscard]] Matrix p_class_loo(const Approximation& approximation, const RobustMax& likelihood);

// Of each row, that its label was drawn at random, by luck perhaps the right one: (ρ/C)/Z.  For
// labels without a confusion, which draws none.
[[nodiscard]] Vector p_random(const Approximation& approximation, const RobustMax& likelihood,
                              const Observations& observations);

}  // namespace candor
