// SPDX-License-Identifier: MIT
// Classifiers put together by hand, whose audit can be worked out on paper.
#pragma once

#include <candor/model/classifier.hpp>

#include <string>
#include <vector>

namespace candor {

// Rows on a line, two classes; one process whose sites say nothing (τ = ν = 0), as before any data.
inline Classifier two_classes(const std::vector<double>& x, const std::vector<int>& labels) {
  const auto n = static_cast<Index>(x.size());
  Classifier c;
  c.classes = {"no", "yes"};
  c.label_name = "answer";
  c.X = Eigen::Map<const Vector>(x.data(), n);
  for (Index i = 0; i < n; ++i) c.row.push_back(10 + i);  // rows of the table are not those of X
  c.label = labels;
  Question q;
  q.positive_class = 1;
  q.processes = {{"robust", 1.0, SquaredExponential{}, Threshold{.flip_probability = 0.1},
                  Vector::Zero(n), Vector::Zero(n)}};
  q.evidence.resize(2);
  q.evidence[0].errors = LabelErrors::none;
  q.evidence[0].name = "regular, shared lengthscale";
  q.evidence[0].family = "shared lengthscale";
  q.evidence[0].log_evidence = -10.0;
  q.evidence[0].log_integrated = -12.0;
  q.evidence[0].probability = 0.2;
  q.evidence[0].converged = true;
  q.evidence[1].errors = LabelErrors::uniform;
  q.evidence[1].name = "robust, shared lengthscale";
  q.evidence[1].family = "shared lengthscale";
  q.evidence[1].log_evidence = -7.0;     // errors gain 3 nats,
  q.evidence[1].log_integrated = -10.6;  // of which their rate costs 1.6
  q.evidence[1].probability = 0.8;
  q.evidence[1].converged = true;
  q.rate = 0.1;
  q.rate_interval = {0.05, 0.2};
  q.wrong_labels = {1.0, 2.0};
  q.p_label_errors = 0.8;
  q.signal = 100.0;
  q.margin = 1.4;
  q.p_wrong = Vector::Constant(n, 0.01);
  q.p_clean_loo = Vector::Constant(n, 0.5);
  c.questions = {q};
  return c;
}

// One question for each class, all with this leave-one-out probability of their class.
inline Classifier three_classes(const Matrix& p_clean_loo, const std::vector<int>& labels) {
  const Index n = p_clean_loo.rows();
  std::vector<double> x;
  for (Index i = 0; i < n; ++i) x.push_back(static_cast<double>(i));
  Classifier c = two_classes(x, labels);
  c.classes = {"a", "b", "c"};
  const Question pattern = c.questions.front();
  c.questions.clear();
  for (Index k = 0; k < 3; ++k) {
    Question q = pattern;
    q.positive_class = k;
    q.p_clean_loo = p_clean_loo.col(k);
    c.questions.push_back(q);
  }
  return c;
}

}  // namespace candor
