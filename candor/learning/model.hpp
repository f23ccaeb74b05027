// SPDX-License-Identifier: MIT
// What is learned: a covariance and a likelihood with their numbers, and the engine that joins
// them.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/inference.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>

namespace candor {

struct Model {
  Covariance covariance = SquaredExponential{};
  Likelihood likelihood = Threshold{};
  Inference inference = Ep{};
};

}  // namespace candor
