// SPDX-License-Identifier: MIT
#include <candor/model/classifier.hpp>

#include <algorithm>

namespace candor {

bool Classifier::converged() const {
  return !interrupted && std::ranges::all_of(questions, [](const Question& question) {
    const auto best = std::ranges::max_element(question.evidence, {}, &EvidenceRow::probability);
    return best != question.evidence.end() && best->converged;
  });
}

}  // namespace candor
