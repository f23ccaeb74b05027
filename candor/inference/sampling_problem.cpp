// SPDX-License-Identifier: MIT
#include <candor/inference/sampling_problem.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/errors.hpp>

#include <utility>

namespace candor {
namespace {

LabelFactors checked_factors(const Likelihood& likelihood, const Observations& observations,
                             const Matrix& X) {
  check(likelihood);
  if (observations.classes > 2) {
    throw InvalidInput("classes is " + std::to_string(observations.classes) +
                       ": sampling takes two; ask about each class by itself");
  }
  check(observations, likelihood);
  check_same_size("rows of X", X.rows(), "labels", observations.size());
  return {likelihood, observations};
}

void check_sites(const Sites& sites, Index n) {
  check_all_finite("sites.tau", sites.tau);
  check_all_finite("sites.nu", sites.nu);
  check_same_size("sites.tau", sites.tau.size(), "labels", n);
  check_same_size("sites.nu", sites.nu.size(), "labels", n);
}

}  // namespace

SamplingProblem::SamplingProblem(const Covariance& covariance, const Likelihood& likelihood,
                                 const Matrix& X, const Observations& observations,
                                 const std::optional<Sites>& sites, Threads threads)
    : factors_(checked_factors(likelihood, observations, X)), threads_(threads) {
  if (sites) check_sites(*sites, size());
  JitteredCholesky factor =
      jittered_cholesky(*covariance_matrix(Gram(covariance, X), threads), threads);
  jitter_ = factor.jitter;
  prior_ = reference_of_prior(std::move(factor.L));
  const Matrix& L = prior_.factor;
  if (sites) {
    const Vector weight = observations.weights();
    near_ = reference_of_sites(L, weight.cwiseProduct(sites->tau), weight.cwiseProduct(sites->nu),
                               threads);
  }
  gibbs_ = GibbsStep::of(factors_, L, threads);
}

}  // namespace candor
