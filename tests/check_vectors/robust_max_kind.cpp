// SPDX-License-Identifier: MIT
#include "class_labels.hpp"
#include "kinds.hpp"

#include <candor/inference/class_loo.hpp>
#include <candor/inference/multiclass_ep.hpp>
#include <candor/inference/predict_classes.hpp>

#include <fmt/format.h>

namespace check_vectors {
namespace {

// Of the classes' own latent values, from the contrasts.
candor::Matrix class_means(const candor::Approximation& q, int classes) {
  return q.latent_mean.reshaped(q.log_loo.size(), classes - 1) * candor::contrasts(classes);
}

}  // namespace

// Full sites; the files' ρ is ε C/(C-1), and their latent noise v₂ is the likelihood's.
void check_robust_max(Case& c) {
  const candor::Matrix X = c.problem.X();
  const auto [labels, classes] = read_class_labels(c.problem);
  const Hyperparameters hyp = read_hyperparameters(c.problem["hyp"], X.cols());
  const double rho = c.problem["rho"].number();
  const candor::RobustMax likelihood{rho * (classes - 1) / classes, hyp.noise_variance, classes};
  candor::Observations observations{.y = candor::Vector(X.rows()), .classes = classes};
  for (candor::Index i = 0; i < X.rows(); ++i) {
    observations.y[i] = labels[static_cast<std::size_t>(i)];
  }
  const candor::Approximation q =
      multiclass_ep(candor::Ep{.tolerance = 1e-12}, likelihood, observations,
                    class_posterior(candor::ClassForm::coupled, classes, {hyp.covariance}, X, {}));
  c.report.require("ep converged", q.outcome.residual < 1e-10,
                   fmt::format("{} sweeps", q.outcome.sweeps));
  candor::ClassPrediction test;
  if (c.problem.has("X_test")) {
    test = predict_classes(q, {hyp.covariance}, likelihood, X, c.problem.X_test());
  }
  check_fields(c, [&](const Field& field, const Node& want) {
    const std::string& name = field.back();
    const bool truth = field.front() == "expected_exact";
    if (truth && X.rows() > 1) {  // EP is exact for one row alone
      if (name == "log_evidence") {
        c.report.note(joined(field),
                      fmt::format("EP is off by {:.1e}", q.log_evidence - want.number()));
      }
    } else if (name == "log_evidence") {
      c.report.compare(field, want, q.log_evidence);
    } else if (name == "outlier_probability") {
      c.report.compare(field, want, p_random(q, likelihood, observations));
    } else if (name == "wrong_label_probability") {
      c.report.compare(field, want, q.p_wrong);
    } else if (name == "posterior_mean") {
      c.report.compare(field, want, class_means(q, classes));
    } else if (name == "p_class_true") {
      c.report.compare(field, want, test.clean);
    } else if (name == "p_class_observed") {
      c.report.compare(field, want, test.observed);
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace check_vectors
