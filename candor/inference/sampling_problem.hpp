// SPDX-License-Identifier: MIT
// A posterior p(f | y) to be sampled, made ready once for chains and annealed runs: the factor of K,
// the labels, and a Gaussian near the posterior if one is known.
//
// All input is checked here, before any O(n³) work: InvalidInput names parameter, value and
// requirement.  Memory is up to 5 n² doubles.
#pragma once

#include <candor/covariance/covariance.hpp>
#include <candor/inference/ep_state.hpp>
#include <candor/inference/gaussian_reference.hpp>
#include <candor/inference/gibbs_step.hpp>
#include <candor/inference/label_factors.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/threads.hpp>
#include <candor/linalg/types.hpp>

#include <functional>
#include <optional>
#include <string_view>

namespace candor {

struct SamplingProgress {
  std::string_view stage;
  Index done = 0;
  Index total = 0;
};
// Asked between rounds, on the caller's thread; false ends sampling.
using SamplingWatcher = std::function<bool(const SamplingProgress&)>;

class SamplingProblem {
 public:
  // `sites` are those of an Approximation, for one copy of a row each.  They change how fast chains
  // mix and how many temperatures an anneal takes, never what either converges to.
  SamplingProblem(const Covariance& covariance, const Likelihood& likelihood, const Matrix& X,
                  const Observations& observations,
                  const std::optional<Sites>& sites = std::nullopt,
                  Threads threads = Threads::all());
  SamplingProblem(const SamplingProblem&) = delete;  // its parts point at each other
  SamplingProblem& operator=(const SamplingProblem&) = delete;

  [[nodiscard]] Index size() const { return factors_.size(); }
  [[nodiscard]] const LabelFactors& factors() const { return factors_; }
  [[nodiscard]] const GaussianReference& prior() const { return prior_; }
  // Nothing where no sites were given, or they are improper to working precision.
  [[nodiscard]] const std::optional<GaussianReference>& near() const { return near_; }
  [[nodiscard]] const std::optional<GibbsStep>& gibbs() const { return gibbs_; }
  [[nodiscard]] double jitter() const { return jitter_; }  // relative, added to K
  [[nodiscard]] Threads threads() const { return threads_; }

 private:
  LabelFactors factors_;
  Threads threads_;
  double jitter_ = 0.0;
  GaussianReference prior_;
  std::optional<GaussianReference> near_;
  std::optional<GibbsStep> gibbs_;
};

}  // namespace candor
