// SPDX-License-Identifier: MIT
// Internal: from the candidates of one question to its answer.  Candidates are kept without their
// n×n matrices.
#pragma once

#include <candor/learning/ensemble.hpp>
#include <candor/learning/select.hpp>
#include <candor/model/classifier.hpp>

#include <vector>

namespace candor {

// What is left of a candidate: O(n) numbers.
struct Finding {
  Candidate candidate;
  std::vector<Process> processes;  // weights sum to 1
  Vector p_wrong;
  Vector p_clean_loo;  // empty for many classes
  Matrix p_class_loo;  // empty for two
  Matrix p_instead;    // empty for two
};

// Takes what is needed out of a candidate: at its mode, or (Average::full) over its sigma points.
[[nodiscard]] Finding finding_of(Candidate candidate, const TrainingSet& data, Average average);

// The weights are those of learning/ensemble.hpp.  At least one finding; those of one covariance
// stand together.
[[nodiscard]] Question answer(std::vector<Finding> findings, const Observations& observations,
                              Average average, CovarianceWeights covariances);

}  // namespace candor
