// SPDX-License-Identifier: MIT
#include <apps/cli/evidence_output.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace candor::cli {
namespace {

// A regular and a robust model, the second of which is the more probable.
Question question_of(double log_evidence) {
  Question question;
  for (const char* name : {"regular", "robust"}) {
    EvidenceRow& row = question.evidence.emplace_back();
    row.name = name;
    row.log_integrated = log_evidence;
    row.probability = 0.1;
    row.converged = true;
  }
  question.evidence[1].log_integrated += 2.0;
  question.evidence[1].probability = 0.9;
  return question;
}

TEST(ComparisonInWords, IsProvisionalWhereASearchFailed) {
  Classifier c;
  c.classes = {"no", "yes"};
  c.questions = {question_of(-9.0)};
  c.questions[0].margin = 4.0;
  c.questions[0].signal = 9.0;
  EXPECT_NE(comparison_in_words(c).find("trong evidence for label errors"), std::string::npos);
  c.questions[0].evidence[0].converged = false;
  EXPECT_TRUE(comparison_in_words(c).starts_with("1 of 2 searches did not converge"));
  EXPECT_EQ(comparison_in_words(c).find("label errors"), std::string::npos);
}

TEST(ComparisonInWords, BeginsEverySentenceWithACapital) {
  Classifier c;
  c.classes = {"no", "yes"};
  c.questions = {question_of(-std::numeric_limits<double>::infinity())};
  EXPECT_TRUE(comparison_in_words(c).starts_with("No model has an evidence."));
  c.questions[0].evidence[0].converged = false;
  EXPECT_NE(comparison_in_words(c).find("provisional. No model"), std::string::npos);
  c.classes.emplace_back("perhaps");
  c.questions.resize(3, c.questions[0]);
  EXPECT_NE(comparison_in_words(c).find("For yes, no model has an evidence."), std::string::npos);
}

}  // namespace
}  // namespace candor::cli
