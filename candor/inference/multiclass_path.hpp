// SPDX-License-Identifier: MIT
// Paths of problems for EP of many classes, each from one whose fixed point is easy to the one
// wanted.
#pragma once

#include <candor/likelihood/observations.hpp>
#include <candor/likelihood/robust_max.hpp>

#include <optional>

namespace candor {

enum class ClassPath {
  random_labels,  // nine labels in ten drawn by chance, whatever their rates, down to none
  latent_noise,   // v₂ from the scale of the prior variance down to its value
};

struct ClassProblem {
  RobustMax likelihood;
  Observations observations;
};

// The problem at the position t ∈ [0, 1] of a path, itself at t = 1.  Empty where there is no way to
// go: for random_labels where no label can be wrong, for latent_noise where v₂ is as large as the
// prior variance.
[[nodiscard]] std::optional<ClassProblem> problem_along(ClassPath path, double t,
                                                        const ClassProblem& wanted,
                                                        double prior_variance);

}  // namespace candor
