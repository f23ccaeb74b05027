// SPDX-License-Identifier: MIT
#include "softmax_classifier.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/inference/softmax_evidence_gradient.hpp>
#include <candor/learning/prior.hpp>
#include <candor/linalg/errors.hpp>

#include <utility>

namespace candor::experiments {
namespace {

std::vector<Theta> starting_points(const Theta& given, const Prior& prior) {
  std::vector<Theta> starts{given};
  for (const double deviations : {-1.0, 1.0}) {
    Theta theta = given;
    for (const PriorGroup& group : prior.groups()) {
      for (const Index i : group.members) {
        theta.value[i] = group.centre + deviations * group.common_sd;
      }
    }
    starts.push_back(std::move(theta));
  }
  return starts;
}

}  // namespace

LearnedSoftmax learn_softmax(const Covariance& start, const Matrix& X,
                             const std::vector<int>& labels, Index classes, Threads threads) {
  // Probit: a likelihood without parameters, so that θ is the covariance's log parameters.
  const Coordinates coordinates({start, Probit{}, Ep{}});
  const Prior prior = default_prior(coordinates, X);
  std::optional<Matrix> mode;
  const auto infer_at = [&](const Theta& theta) {
    return infer(SoftmaxLaplace{}, {with_log_parameters(start, theta.value)}, X, labels, classes,
                 threads, mode);
  };
  const Landscape landscape = [&](const Theta& theta) -> std::optional<Height> {
    try {
      const SoftmaxApproximation q = infer_at(theta);
      if (q.outcome.status != Status::converged) return std::nullopt;
      mode = q.mode;
      const auto [log_prior, slope] = prior.at(theta);
      const Covariance covariance = with_log_parameters(start, theta.value);
      return Height{q.log_evidence + log_prior,
                    softmax_evidence_gradient(q, {covariance}, X).front() + slope};
    } catch (const NumericalError&) {
      return std::nullopt;
    }
  };
  Summit best;
  for (const Theta& from : starting_points(coordinates.theta(), prior)) {
    Summit summit = climb(landscape, from, coordinates.bounds());
    if (summit.status == AscentStatus::no_start) continue;
    const bool is_first = best.status == AscentStatus::no_start;
    if (is_first || summit.value > best.value) best = std::move(summit);
  }
  if (best.status == AscentStatus::no_start) {
    throw NumericalError("softmax Laplace has no evidence at any start");
  }
  mode.reset();
  return {best.status, with_log_parameters(start, best.theta.value),
          prior.at(best.theta).log_density, infer_at(best.theta)};
}

}  // namespace candor::experiments
