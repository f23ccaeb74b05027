// SPDX-License-Identifier: MIT
#include <candor/model/question.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace candor {
namespace {

// Two covariances, with and without errors; a row in four is labelled against its side.
std::vector<Finding> findings_of(const Matrix& X, const Observations& observations) {
  const TrainingSet data{X, observations};
  Selecting selecting;
  selecting.covariances = {{"short", SquaredExponential{}},
                           {"long", SquaredExponential{.lengthscale = Vector::Constant(1, 3.0)}}};
  std::vector<Finding> findings;
  for (Candidate& candidate : select_model(data, selecting).candidates) {
    findings.push_back(finding_of(std::move(candidate), data, Average::models));
  }
  return findings;
}

TEST(Question, PassesOverACandidateWithoutAnEvidence) {
  const Matrix X = Vector::LinSpaced(12, -2.0, 2.0);
  Observations observations{.y = X.col(0).cwiseSign()};
  for (const Index i : {1, 5, 10}) observations.y[i] = -observations.y[i];
  std::vector<Finding> findings = findings_of(X, observations);
  ASSERT_EQ(findings.size(), 4U);
  Candidate &first = findings[1].candidate, &second = findings[3].candidate;
  ASSERT_NE(first.errors, LabelErrors::none);
  first.log_integrated = std::numeric_limits<double>::quiet_NaN();
  first.rates.front().mean = 0.49;
  second.rates.front().mean = 0.123;
  EXPECT_EQ(answer(findings, observations, Average::models, CovarianceWeights::alike).rate, 0.123);
  second.log_integrated = first.log_integrated;
  EXPECT_EQ(answer(findings, observations, Average::models, CovarianceWeights::alike).rate, 0.0)
      << "none is left";
}

// p_wrong, the probability of errors and the number of wrong labels come from the same weights.
TEST(Question, GivesRowsNoMoreDoubtThanThereIsProbabilityOfErrors) {
  const Matrix X = Vector::LinSpaced(12, -2.0, 2.0);
  Observations observations{.y = X.col(0).cwiseSign()};
  for (const Index i : {1, 5, 10}) observations.y[i] = -observations.y[i];
  std::vector<Finding> findings = findings_of(X, observations);
  findings[0].candidate.log_integrated += 30.0;  // hardly an error, with a covariance that is sure
  for (const auto weights : {CovarianceWeights::alike, CovarianceWeights::by_evidence}) {
    for (const Average kind : {Average::none, Average::models}) {
      const Question question = answer(findings, observations, kind, weights);
      EXPECT_LE(question.p_wrong.maxCoeff(), question.p_label_errors);
      EXPECT_LE(question.p_wrong.sum(), 12.0 * question.p_label_errors);
      const bool alike = weights == CovarianceWeights::alike && kind == Average::models;
      EXPECT_EQ(question.p_label_errors > 0.1, alike) << "the other covariance has its say";
      EXPECT_EQ(question.wrong_labels.low, 0.0);
    }
  }
}

}  // namespace
}  // namespace candor
