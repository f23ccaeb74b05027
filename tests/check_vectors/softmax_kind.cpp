// SPDX-License-Identifier: MIT
#include "class_labels.hpp"
#include "kinds.hpp"

#include <candor/inference/softmax_evidence_gradient.hpp>
#include <candor/inference/softmax_laplace.hpp>
#include <candor/inference/softmax_predict.hpp>

#include <fmt/format.h>

namespace check_vectors {
namespace {

void compare_each(Case& c, const Field& field, const Node& want,
                  const std::vector<candor::Matrix>& got) {
  const std::vector<Node> items = want.items();
  if (items.size() != got.size()) want.refuse(fmt::format("a list of {} matrices", got.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    Field item = field;
    item.push_back(fmt::format("{}", i));
    c.report.compare(item, items[i], got[i]);
  }
}

}  // namespace

// One covariance for all classes; the noise v₂ stands on its training diagonal, not in predictions.
void check_softmax_laplace(Case& c) {
  const candor::Matrix X = c.problem.X();
  const auto [labels, classes] = read_class_labels(c.problem);
  const Hyperparameters hyp = read_hyperparameters(c.problem["hyp"], X.cols());
  const std::vector<candor::Covariance> covariance{hyp.with_noise()};

  const candor::SoftmaxApproximation q =
      infer(candor::SoftmaxLaplace{.tolerance = 1e-12}, covariance, X, labels, classes);
  c.report.require("laplace converged", q.outcome.status == candor::Status::converged,
                   fmt::format("{} Newton steps", q.outcome.sweeps));
  const candor::Vector gradient = softmax_evidence_gradient(q, covariance, X).front();
  candor::SoftmaxPrediction test;
  if (c.problem.has("X_test")) test = predict(q, covariance, X, c.problem.X_test());

  check_fields(c, [&](const Field& field, const Node& want) {
    const std::string& name = field.back();
    if (field.size() == 2 && field.front() == "gradient" && hyp.names(name)) {
      c.report.compare(field, want, hyp.derivative(name, gradient));
    } else if (name == "mode") {
      c.report.compare(field, want, q.mode);
    } else if (name == "log_evidence") {
      c.report.compare(field, want, q.log_evidence);
    } else if (name == "class_probabilities_at_mode") {
      c.report.compare(field, want, q.probabilities);
    } else if (name == "latent_mean") {
      c.report.compare(field, want, test.latent_mean);
    } else if (name == "latent_cov") {
      compare_each(c, field, want, test.latent_covariance);
    } else if (name == "p_class") {
      c.report.compare(field, want, test.probability);
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace check_vectors
