// SPDX-License-Identifier: MIT
#include <candor/model/posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <utility>

namespace candor {

Approximation posterior_of(const Classifier& classifier, const Process& process, Threads threads) {
  const Vector& weight = classifier.weight;
  check_same_size("site_tau", process.site_tau.size(), "rows of X", classifier.X.rows());
  check_same_size("site_nu", process.site_nu.size(), "rows of X", classifier.X.rows());
  const bool weighted = weight.size() > 0;
  const Vector tau = weighted ? Vector(process.site_tau.cwiseProduct(weight)) : process.site_tau;
  const Vector nu = weighted ? Vector(process.site_nu.cwiseProduct(weight)) : process.site_nu;
  const auto refuse = [&] {
    throw NumericalError("the sites of \"" + process.name +
                         "\" do not give a proper posterior: fit the model again");
  };
  SitePosterior posterior(Gram(process.covariance, classifier.X), threads);
  if (!posterior.set_precisions(tau)) refuse();
  auto [alpha, mu] = posterior.mean(nu);
  if (!alpha.allFinite() || !mu.allFinite()) refuse();
  return {.outcome = {},
          .site_tau = process.site_tau,
          .site_nu = process.site_nu,
          .latent_mean = std::move(mu),
          .alpha = std::move(alpha),
          .posterior = std::move(posterior)};
}

Observations observations_of(const Classifier& classifier, Index positive_class) {
  const Index n = classifier.X.rows();
  Observations observations{.y = Vector(n), .weight = classifier.weight};
  if (!classifier.trusted.empty()) observations.known_flip_rate.resize(n);
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    observations.y[i] = classifier.label[k] == positive_class ? 1.0 : -1.0;
    if (classifier.trusted.empty()) continue;
    observations.known_flip_rate[i] = classifier.trusted[k] ? 0.0 : rate_not_known;
  }
  return observations;
}

}  // namespace candor
