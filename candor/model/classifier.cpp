// SPDX-License-Identifier: MIT
#include <candor/model/classifier.hpp>

#include <candor/learning/ensemble.hpp>

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

// Whether the answer would be another one without the candidate: it is averaged over, it is not too
// improbable to be, or it has no evidence to tell by.
bool matters(const EvidenceRow& row, const Question& question) {
  return row.probability >= negligible_weight || std::isnan(row.log_integrated) ||
         std::ranges::find(question.processes, row.name, &Process::name) !=
             question.processes.end();
}

}  // namespace

Index Classifier::failed_searches() const {
  Index failed = 0;
  for (const Question& question : questions) {
    failed += std::ranges::count_if(question.evidence, [&](const EvidenceRow& tried) {
      return !tried.converged && matters(tried, question);
    });
  }
  return failed;
}

double share_of_yes(const Classifier& classifier, const Question& question) {
  double yes = 0.0, all = 0.0;
  for (std::size_t i = 0; i < classifier.label.size(); ++i) {
    const double weight =
        classifier.weight.size() == 0 ? 1.0 : classifier.weight[static_cast<Index>(i)];
    if (classifier.label[i] == question.positive_class) yes += weight;
    all += weight;
  }
  return (yes + 1.0) / (all + 2.0);
}

Vector class_shares(const Classifier& classifier) {
  Vector count = Vector::Ones(static_cast<Index>(classifier.classes.size()));
  for (std::size_t i = 0; i < classifier.label.size(); ++i) {
    count[classifier.label[i]] +=
        classifier.weight.size() == 0 ? 1.0 : classifier.weight[static_cast<Index>(i)];
  }
  return count / count.sum();
}

bool Classifier::converged() const { return !interrupted && failed_searches() == 0; }

}  // namespace candor
