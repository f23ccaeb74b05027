// SPDX-License-Identifier: MIT
// Softmax Laplace with learned hyperparameters: one covariance shared by all classes, at the
// maximum of
//
//   log Z(θ) + log p(θ),   log Z by candor/inference/softmax_laplace.hpp                 [RW06, §3.5]
//
// p(θ) is the library's weak prior (candor/learning/prior.hpp), the same that EP's models get.  It is
// written for a probit's unit of f: a softmax wants about 1.3 times the variance for the same
// boundary, far within the prior's width.
#pragma once

#include <candor/inference/softmax_laplace.hpp>
#include <candor/learning/ascent.hpp>

namespace candor::experiments {

struct LearnedSoftmax {
  AscentStatus status;  // of the best start
  Covariance covariance;
  double log_prior;
  SoftmaxApproximation approximation;
};

// From `start`, and from one prior deviation to both sides, as learn() does.
[[nodiscard]] LearnedSoftmax learn_softmax(const Covariance& start, const Matrix& X,
                                           const std::vector<int>& labels, Index classes,
                                           Threads threads = Threads{1});

}  // namespace candor::experiments
