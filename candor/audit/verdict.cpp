// SPDX-License-Identifier: MIT
#include <candor/audit/verdict.hpp>

#include <candor/data/wording.hpp>
#include <candor/learning/select.hpp>

#include <fmt/format.h>

#include <cmath>

namespace candor {

std::string margin_in_words(double nats) {
  if (std::isnan(nats)) return "";
  if (std::abs(nats) < 1.0) {
    return fmt::format(
        "Whether any label is wrong the data do not tell ({:+.1f} nats for label errors).", nats);
  }
  return fmt::format("{} {} label errors ({:.1f} nats{}).", capitalised(strength_of(nats)),
                     nats > 0.0 ? "for" : "against", std::abs(nats), odds_of(nats));
}

std::string provisional_in_words(const Classifier& classifier) {
  int searches = 0, failed = 0;
  for (const Question& question : classifier.questions) {
    for (const EvidenceRow& row : question.evidence) {
      ++searches;
      failed += row.converged ? 0 : 1;
    }
  }
  if (!classifier.converged()) return "The search did not converge: these numbers are provisional.";
  if (failed == 0) return "";
  return fmt::format("{} of {} searches did not converge: these numbers are provisional.", failed,
                     searches);
}

}  // namespace candor
