// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>
#include <candor/inference/predict.hpp>

#include <fmt/format.h>

namespace check_vectors {
namespace {

candor::Likelihood read_link(const Node& link) {
  const std::string name = link.text();
  if (name == "logistic") return candor::Logistic{};
  if (name == "probit") return candor::Probit{};
  link.refuse(R"("logistic" or "probit")");
}

}  // namespace

// The noise v₂ stands in the covariance here: on the training diagonal, not in predictions.
void check_laplace(Case& c) {
  const candor::Matrix X = c.problem.X();
  const candor::Vector y = c.problem.labels();
  const Hyperparameters hyp = read_hyperparameters(c.problem["hyp"], X.cols());
  const candor::Covariance covariance = hyp.with_noise();
  const candor::Likelihood likelihood = read_link(c.problem["link"]);

  candor::Approximation q =
      infer(candor::Laplace{.tolerance = 1e-12}, covariance, likelihood, X, {.y = y});
  c.report.require("laplace converged", q.outcome.status == candor::Status::converged,
                   fmt::format("{} Newton steps", q.outcome.sweeps));
  const candor::Vector gradient = evidence_gradient(q, covariance, X).covariance;
  candor::Prediction test;
  if (c.problem.has("X_test")) {
    test = predict(q, covariance, likelihood, X, c.problem.X_test());
  }

  check_fields(c, [&](const Field& field, const Node& want) {
    const std::string& name = field.back();
    if (field.size() == 2 && field.front() == "gradient" && hyp.names(name)) {
      c.report.compare(field, want, hyp.derivative(name, gradient));
    } else if (name == "mode") {
      c.report.compare(field, want, q.latent_mean);
    } else if (name == "log_evidence") {
      c.report.compare(field, want, q.log_evidence);
    } else if (name == "W") {
      c.report.compare(field, want, q.site_tau);
    } else if (name == "latent_mean") {
      c.report.compare(field, want, test.latent_mean);
    } else if (name == "latent_var") {
      c.report.compare(field, want, test.latent_variance);
    } else if (name == "p_plus") {
      c.report.compare(field, want, test.p_observed);
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace check_vectors
