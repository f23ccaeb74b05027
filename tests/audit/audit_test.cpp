// SPDX-License-Identifier: MIT
#include "classifiers.hpp"

#include <candor/audit/audit.hpp>
#include <candor/learning/select.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

// Sums of a few numbers of size 1.
constexpr double rounding = 1e-14;

TEST(Audit, RanksByPWrongThenByPGivenThenByRow) {
  Classifier c = two_classes({0, 1, 2, 3}, {1, 1, 1, 0});
  c.questions[0].p_wrong << 0.2, 0.9, 0.2, 0.2;
  c.questions[0].p_clean_loo << 0.7, 0.1, 0.6, 0.4;  // of class 1; the last row is of class 0
  const Audit result = audit(c);
  std::vector<Index> rows;
  for (const AuditedRow& row : result.rows) rows.push_back(row.row);
  EXPECT_EQ(rows, (std::vector<Index>{11, 12, 13, 10}));  // 12 and 13 share p_given 0.6
}

TEST(Audit, SuggestsTheOtherOfTwoClassesOnlyWhereTheGivenOneIsTheLessProbable) {
  Classifier c = two_classes({0, 1}, {1, 1});
  c.questions[0].p_wrong << 0.6, 0.4;
  const Audit result = audit(c);
  EXPECT_EQ(result.rows[0].suggested, 0);
  EXPECT_EQ(result.rows[1].suggested, 1);
}

TEST(Audit, TakesPGivenOfEitherClassFromTheOneQuestion) {
  Classifier c = two_classes({0, 1}, {1, 0});
  c.questions[0].p_wrong << 0.9, 0.1;
  c.questions[0].p_clean_loo << 0.3, 0.3;
  const Audit result = audit(c);
  EXPECT_DOUBLE_EQ(result.rows[0].p_given, 0.3);
  EXPECT_DOUBLE_EQ(result.rows[1].p_given, 0.7);
}

TEST(Audit, NeverDoubtsATrustedRow) {
  Classifier c = two_classes({0, 1}, {1, 1});
  c.questions[0].p_wrong << 0.9, 0.1;
  c.trusted = {true, false};
  const Audit result = audit(c);
  EXPECT_EQ(result.rows[0].row, 11);
  EXPECT_TRUE(result.rows[1].trusted);
  EXPECT_EQ(result.rows[1].p_wrong, 0.0);
  EXPECT_EQ(result.rows[1].suggested, result.rows[1].given);
}

// Odds of 1/4, 1 and 1/4 that each class is the one, so π = (1/6, 4/6, 1/6); ε = 3 · 0.1/2.  Errors
// gain 3 · 3/2 nats and pay 1.6 for one rate.
TEST(Audit, OfThreeClassesFollowsTheFormula) {
  Matrix p(1, 3);
  p << 0.2, 0.5, 0.2;
  const Audit result = audit(three_classes(p, {0}));
  const double given = 0.85 / 6.0, b = 0.075 * 4.0 / 6.0, c = 0.075 / 6.0;
  const double errors = 1.0 / (1.0 + std::exp(-2.9) / prior_odds_of_errors);
  EXPECT_NEAR(result.rows[0].p_wrong, errors * (b + c) / (given + b + c), rounding);
  EXPECT_NEAR(result.rows[0].p_given, 1.0 / 6.0, rounding);
  EXPECT_NEAR(result.rate, 0.15, rounding);
  EXPECT_NEAR(result.margin, 2.9, rounding);
}

TEST(Audit, OfThreeClassesSuggestsTheMostProbableOne) {
  Matrix p(2, 3);
  p << 0.001, 0.9, 0.05, 0.9, 0.01, 0.01;
  const Audit result = audit(three_classes(p, {0, 0}));
  EXPECT_EQ(result.rows[0].row, 10);
  EXPECT_EQ(result.rows[0].suggested, 1);
  EXPECT_EQ(result.rows[1].suggested, 0);
}

// Odds of 0.4, 0.3 and 0.31: the given class is the most probable one, and wrong all the same.
TEST(Audit, OfThreeClassesSuggestsAnotherOneWhereverItDoubtsTheGivenOne) {
  Matrix p(1, 3);
  p << 0.4 / 1.4, 0.3 / 1.3, 0.31 / 1.31;
  Classifier c = three_classes(p, {0});
  for (Question& q : c.questions) {
    q.rate = 4.0 / 9.0;  // ε = 2/3: every class is as likely to be recorded as any other
    q.evidence[1].log_evidence += 100.0;  // there are errors for certain
    q.evidence[1].log_integrated += 100.0;
  }
  const AuditedRow row = audit(c).rows[0];
  EXPECT_NEAR(row.p_wrong, 0.61 / 1.01, rounding);
  EXPECT_EQ(row.suggested, 2);
}

void add_candidates(Question& q, const std::string& family, double regular, double robust) {
  for (const LabelErrors errors : {LabelErrors::none, LabelErrors::uniform}) {
    EvidenceRow row;
    row.name = errors == LabelErrors::none ? "one name" : "another";
    row.converged = true;
    row.family = family;
    row.errors = errors;
    row.log_evidence = row.log_integrated = errors == LabelErrors::none ? regular : robust;
    q.evidence.push_back(row);
  }
}

TEST(Audit, ComparesTheSameCovarianceWithAndWithoutErrors) {
  Classifier c = three_classes(Matrix::Constant(1, 3, 0.4), {0});
  for (Question& q : c.questions) add_candidates(q, "a lengthscale per column", -9.0, -5.0);
  // 3 · 4/2 nats, and a rate that costs nothing; beside the other covariance it would be 3 · 5/2.
  EXPECT_NEAR(audit(c).margin, 6.0, rounding);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Audit, PassesOverACandidateWithoutAnEvidence) {
  Classifier c = three_classes(Matrix::Constant(1, 3, 0.4), {0});
  for (Question& q : c.questions) {
    add_candidates(q, "sound", -9.0, -5.0);
    q.evidence[1].log_evidence = q.evidence[1].log_integrated = nan;
  }
  EXPECT_NEAR(audit(c).margin, 6.0, rounding);
  for (Question& q : c.questions) q.evidence[2].log_integrated = nan;  // regular, "sound"
  EXPECT_TRUE(std::isnan(audit(c).margin)) << "nothing is left to compare";
}

TEST(Audit, DoesNotTakeAFailedComparisonForCertainty) {
  Matrix p(1, 3);
  p << 0.2, 0.5, 0.2;
  Classifier c = three_classes(p, {0});
  for (Question& q : c.questions) {
    q.evidence[1].log_integrated = nan;
    q.p_label_errors = 0.25;  // in which the weak signal is already
    q.signal = 1.0;
  }
  const Audit result = audit(c);
  const double given = 0.85 / 6.0, b = 0.075 * 4.0 / 6.0, other = 0.075 / 6.0;
  EXPECT_NEAR(result.rows[0].p_wrong, 0.25 * (b + other) / (given + b + other), rounding);
  EXPECT_NE(result.verdict.find("comparison of models with and without label errors failed"),
            std::string::npos);
  EXPECT_FALSE(result.labels_look_clean);
}

TEST(Audit, IsSureOfErrorsWhereNothingElseWasTried) {
  Matrix p(1, 3);
  p << 0.2, 0.5, 0.2;
  Classifier c = three_classes(p, {0});
  for (Question& q : c.questions) {
    q.evidence.erase(q.evidence.begin());
    q.p_label_errors = 1.0;
  }
  const Audit result = audit(c);
  const double given = 0.85 / 6.0, b = 0.075 * 4.0 / 6.0, other = 0.075 / 6.0;
  EXPECT_NEAR(result.rows[0].p_wrong, (b + other) / (given + b + other), rounding);
  EXPECT_EQ(result.verdict.find("failed"), std::string::npos);
  EXPECT_NE(result.verdict.find("No model without label errors was tried."), std::string::npos);
}

TEST(Audit, GivesClassesNobodyBelievesInEqualShares) {
  const Audit result = audit(three_classes(Matrix::Zero(1, 3), {2}));
  EXPECT_NEAR(result.rows[0].p_given, 1.0 / 3.0, rounding);
}

// Ten rows, the given class of probability 1/6: wrong with the chance q = 5 ε/2 / (5 ε/2 + 1 - ε).
TEST(Audit, OfThreeClassesCountsWrongLabelsAboutTheirMean) {
  Matrix p = Matrix::Zero(10, 3);
  p.rowwise() = Eigen::RowVector3d(0.2, 0.5, 0.2);
  Classifier c = three_classes(p, std::vector<int>(10, 0));
  const auto mean_at = [](double rate) {
    const double wrong = rate / 2.0 * 5.0, right = 1.0 - rate;
    return 10.0 * wrong / (wrong + right);
  };
  const auto raise_evidence_of_errors = [&](double nats) {
    for (Question& q : c.questions) q.evidence[1].log_evidence += nats;
    for (Question& q : c.questions) q.evidence[1].log_integrated += nats;
  };
  raise_evidence_of_errors(-std::log(prior_odds_of_errors) / 1.5);  // half of it in each of three
  Audit result = audit(c);
  EXPECT_EQ(result.wrong_labels.low, 0.0) << "5 % are left for no error at all";
  EXPECT_GT(result.wrong_labels.high, result.expected_wrong);
  raise_evidence_of_errors(100.0);  // errors for certain
  result = audit(c);
  const double mean = mean_at(0.15), variance = mean * (1.0 - mean / 10.0);
  EXPECT_NEAR(result.expected_wrong, mean, 1e-12);
  const double z = 1.6448536269514722;  // 5 % of a normal lie beyond
  EXPECT_NEAR(result.wrong_labels.low,
              mean - std::hypot(z * std::sqrt(variance), mean - mean_at(0.075)), 1e-12);
  EXPECT_NEAR(result.wrong_labels.high,
              mean + std::hypot(z * std::sqrt(variance), mean - mean_at(0.3)), 1e-12);
}

// Even where errors are almost ruled out, which the questions' own counts know nothing of.
TEST(Audit, TheMeanNumberOfWrongLabelsLiesInItsInterval) {
  Matrix p(2, 3);
  p << 0.2, 0.5, 0.2, 0.9, 0.01, 0.01;
  for (const double nats : {-100.0, -3.0, 0.0, 100.0}) {
    Classifier c = three_classes(p, {0, 0});
    for (Question& q : c.questions) q.evidence[1].log_evidence += nats;
    for (Question& q : c.questions) q.evidence[1].log_integrated += nats;
    const Audit result = audit(c);
    EXPECT_LE(result.wrong_labels.low, result.expected_wrong) << nats;
    EXPECT_GE(result.wrong_labels.high, result.expected_wrong) << nats;
  }
}

TEST(Audit, CountsWhatABudgetShouldFind) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].p_wrong << 0.1, 0.9, 0.6;
  const Audit result = audit(c);
  EXPECT_EQ(result.above(0.5), 2);
  EXPECT_NEAR(result.expected_among(2), 1.5, rounding);
  EXPECT_NEAR(result.expected_among(99), 1.6, rounding);
  EXPECT_NEAR(result.expected_wrong, 1.6, rounding);
}

TEST(Audit, SaysTheVerdictInWords) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].p_wrong << 0.1, 0.9, 0.6;
  EXPECT_EQ(
      audit(c).verdict,
      "2 of 3 labels look wrong, and 1 to 2 are (90 % interval). If labels are wrong at all, "
      "their rate is 10.0 % (90 % interval 5.0 to 20.0 %). Some evidence for label errors (1.4 "
      "nats, 4 to 1).");
  c.questions[0].margin = 5.666;
  c.questions[0].p_label_errors = 0.997;
  EXPECT_EQ(
      audit(c).verdict,
      "2 of 3 labels look wrong, and 1 to 2 are (90 % interval). Label-error rate 10.0 % (90 % "
      "interval 5.0 to 20.0 %). Very strong evidence for label errors (5.7 nats, 290 to 1).");
  c.questions[0].p_wrong << 0.1, 0.2, 0.001;
  c.questions[0].wrong_labels = {0.2, 1.3};
  EXPECT_TRUE(
      audit(c).verdict.starts_with("None of 3 labels looks wrong, though 0 to 2 may be (90 % "
                                   "interval). Look first at rows 12 and 11, "
                                   "with p_wrong up to 0.20. Label-error rate"))
      << audit(c).verdict;
  EXPECT_NE(audit(c, {.first_row = 0}).verdict.find("at rows 11 and 10,"), std::string::npos);
  c.trusted = {true, true, true};
  EXPECT_EQ(audit(c).verdict, "Every label is trusted: there is nothing to audit.");
}

TEST(Audit, MakesNoWholeLabelOfATrifle) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].p_wrong.setConstant(1e-4);
  c.questions[0].wrong_labels = {0.0, 0.0};
  EXPECT_TRUE(audit(c).verdict.starts_with("None of 3 labels looks wrong. If labels"))
      << audit(c).verdict;
}

TEST(Audit, SaysSoWhereTheColumnsTellNothing) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].signal = -1.8;
  const Audit result = audit(c);
  EXPECT_EQ(
      result.verdict,
      "The columns tell next to nothing of the label (-1.8 nats): which labels are wrong cannot "
      "be told from them; add columns that have to do with it. None of 3 labels looks wrong.");
  EXPECT_FALSE(result.labels_look_clean);
}

TEST(Audit, OfThreeClassesDoubtsNoRowWithoutASignal) {
  Matrix p(1, 3);
  p << 0.2, 0.5, 0.2;
  Classifier c = three_classes(p, {0});
  const double with = audit(c).rows[0].p_wrong;
  for (Question& q : c.questions) q.signal = -2.0;  // half of them count
  EXPECT_NEAR(audit(c).rows[0].p_wrong, with / (1.0 + std::exp(3.0)), rounding);
}

TEST(Audit, OfEquallyProbableClassesSuggestsTheFirst) {
  Matrix p(1, 3);
  p << 0.3, 0.3 + 1e-14, 0.2;
  EXPECT_EQ(audit(three_classes(p, {2})).rows[0].other, 0);
}

TEST(Audit, GivesNoMarginWhereASearchFailed) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].evidence[0].converged = false;
  c.questions[0].evidence[0].probability = 0.1;
  c.questions[0].p_label_errors = 1.0;
  const Audit result = audit(c);
  EXPECT_TRUE(std::isnan(result.margin));
  EXPECT_TRUE(result.comparison_failed);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.surely_has_errors());
  EXPECT_EQ(result.verdict.find("interval). If"), std::string::npos)
      << "says how many are wrong, and that this is not known: " << result.verdict;
}

TEST(Audit, PassesOverAFailedSearchThatHasNoSay) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].evidence[0].converged = false;
  c.questions[0].evidence[0].probability = 1e-6;
  const Audit result = audit(c);
  EXPECT_FALSE(std::isnan(result.margin));
  EXPECT_TRUE(result.converged);
}

TEST(Audit, SuggestsAnotherLabelWhereTheThresholdDoubtsTheGivenOne) {
  Classifier c = two_classes({0, 1, 2}, {1, 1, 1});
  c.questions[0].p_wrong << 0.1, 0.9, 0.4;
  EXPECT_EQ(audit(c).rows[1].suggested, 1);
  EXPECT_EQ(audit(c).rows[1].other, 0);
  EXPECT_EQ(audit(c, {.threshold = 0.3}).rows[1].suggested, 0);
  EXPECT_EQ(audit(c, {.threshold = 0.95}).rows[0].suggested, 0);
}

TEST(Audit, SaysSoWhenTheSearchDidNotConverge) {
  Classifier c = two_classes({0, 1}, {0, 1});
  c.interrupted = true;
  const Audit result = audit(c);
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(result.verdict.starts_with(
      "The search did not end: these numbers are provisional. None of 2 labels looks wrong, "))
      << result.verdict;
  EXPECT_EQ(result.verdict.find("evidence"), std::string::npos) << result.verdict;
}

// The margin rests on every candidate, not only on the one that was kept.
TEST(Audit, IsProvisionalWhereAnotherCandidateDidNotConverge) {
  Classifier c = two_classes({0, 1}, {0, 1});
  c.questions[0].evidence[0].converged = false;
  c.questions[0].evidence[0].probability = 0.1;
  EXPECT_TRUE(audit(c).verdict.starts_with(
      "1 of 2 searches did not converge: these numbers are provisional. None of"));
}

TEST(Audit, CallsLabelsCleanOnlyWithoutSuspectsAndWithoutEvidence) {
  Classifier c = two_classes({0, 1}, {0, 1});
  c.questions[0].margin = -2.0;
  c.questions[0].p_label_errors = 0.6;  // the odds beforehand outweigh the data
  EXPECT_FALSE(audit(c).labels_look_clean);
  c.questions[0].p_label_errors = 0.4;
  EXPECT_TRUE(audit(c).labels_look_clean);
  c.questions[0].p_wrong << 0.8, 0.0;
  EXPECT_FALSE(audit(c).labels_look_clean);
  c.questions[0].p_wrong << 0.0, 0.0;
  for (const double nats : {7.0, 0.5, -0.5}) {  // from -1 to 1 the data do not tell
    c.questions[0].margin = nats;
    EXPECT_FALSE(audit(c).labels_look_clean) << nats;
  }
}

TEST(Audit, StillRanksWhenNoModelWithErrorsWasTried) {
  Classifier c = two_classes({0, 1}, {1, 1});
  c.questions[0].evidence.pop_back();
  c.questions[0].margin = std::numeric_limits<double>::quiet_NaN();
  c.questions[0].p_wrong.setZero();
  c.questions[0].p_clean_loo << 0.9, 0.2;
  const Audit result = audit(c);
  EXPECT_EQ(result.rows[0].row, 11);
  EXPECT_NE(result.verdict.find("No model with label errors was tried"), std::string::npos);
}

}  // namespace
}  // namespace candor
