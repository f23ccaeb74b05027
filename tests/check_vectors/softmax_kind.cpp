// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include <candor/inference/softmax_evidence_gradient.hpp>
#include <candor/inference/softmax_laplace.hpp>
#include <candor/inference/softmax_predict.hpp>

#include <fmt/format.h>

#include <cmath>

namespace check_vectors {
namespace {

int read_number_of_classes(const Node& node) {
  const double value = node.number();
  if (!(value >= 2.0 && value <= 1000.0 && std::floor(value) == value)) {
    node.refuse("a whole number from 2 to 1000");
  }
  return static_cast<int>(value);
}

std::vector<int> read_classes(const Node& node, candor::Index rows, int classes) {
  const candor::Vector values = node.vector();
  if (values.size() != rows) {
    node.refuse(fmt::format("a list of {} classes, one per row of X", rows));
  }
  std::vector<int> labels;
  for (const double value : values) {
    if (!(value >= 0.0 && value < classes && std::floor(value) == value)) {
      node.refuse(fmt::format("a list of whole numbers from 0 to {}", classes - 1));
    }
    labels.push_back(static_cast<int>(value));
  }
  return labels;
}

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
  const int classes = read_number_of_classes(c.problem["n_classes"]);
  const std::vector<int> labels = read_classes(c.problem["classes"], X.rows(), classes);
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
