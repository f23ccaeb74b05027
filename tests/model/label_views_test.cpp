// SPDX-License-Identifier: MIT
// Which views of the labels a fit compares, and what it says of their rates.
#include "tables.hpp"

#include <candor/model/posterior.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace candor {
namespace {

using namespace testing_tables;

Prepared prepared_of(const std::string& text, const SchemaOptions& columns = {.label = "class"}) {
  const Table table = table_of(text);
  return prepare(table, infer_schema(table, columns));
}

TEST(LabelViews, AreAllOfTwoClassesOrThreeWhoseRateIsNotKnown) {
  using enum LabelErrors;
  const Prepared two = prepared_of(two_classes(12)), three = prepared_of(three_classes(12));
  FitOptions options;
  EXPECT_EQ(label_views(two, options), (std::vector{none, uniform, by_class}));
  EXPECT_EQ(label_views(three, options), (std::vector{none, uniform, by_class}));
  const Prepared four = prepared_of(three_classes(12) + "9,9,c4\n");
  EXPECT_EQ(label_views(four, options), (std::vector{none, uniform}));
  options.multiclass = Multiclass::one_vs_rest;
  EXPECT_EQ(label_views(three, options), (std::vector{none, uniform}));
  options = {.rate = 0.1};
  EXPECT_EQ(label_views(two, options), (std::vector{none, uniform}));
  options.errors = {by_class};
  EXPECT_EQ(label_views(two, options), (std::vector{by_class}));
}

TEST(LabelViews, HaveNoErrorsWhereEveryLabelIsTrusted) {
  using enum LabelErrors;
  const SchemaOptions columns{.label = "class", .trusted = "checked"};
  const Prepared all = prepared_of("x,class,checked\n1,a,1\n2,b,1\n3,b,1\n", columns);
  EXPECT_EQ(label_views(all, {}), std::vector{none});
  const Prepared some = prepared_of("x,class,checked\n1,a,1\n2,a,0\n3,b,0\n", columns);
  EXPECT_EQ(label_views(some, {}), (std::vector{none, uniform, by_class}));
}

// No label in doubt is of the class a: for rates by class it would always be recorded as b.
TEST(LabelViews, LeaveOutRatesByClassWhereOneClassIsTrusted) {
  using enum LabelErrors;
  const SchemaOptions columns{.label = "class", .trusted = "checked"};
  const Prepared one = prepared_of("x,class,checked\n1,a,1\n2,a,1\n3,b,0\n4,b,1\n", columns);
  EXPECT_EQ(label_views(one, {}), (std::vector{none, uniform}));
  EXPECT_EQ(label_views(one, {.errors = {by_class}}), std::vector{by_class});
}

// A third of one class is recorded as the other: a sixth of all labels.  By the shares of recorded
// instead of true classes, 11 % would be.
TEST(LabelViews, FindThatOneClassIsTakenForTheOther) {
  std::string text = "x,class\n";
  for (int i = 0; i < 120; ++i) {
    text += fmt::format("{}.5,{}\n", i, i < 60 || i % 3 == 0 ? "a" : "b");
  }
  const Question q = fit_table(table_of(text), quick()).questions[0];
  const auto best = std::ranges::max_element(q.evidence, {}, &EvidenceRow::log_integrated);
  EXPECT_EQ(best->errors, LabelErrors::by_class);
  // One posterior deviation: 60 labels tell a rate of a third to 0.06, and they are half of all.
  EXPECT_NEAR(q.rate, 1.0 / 6.0, 0.03);
  EXPECT_NEAR(q.p_wrong.sum() / q.p_label_errors, 20.0, 3.6);
}

// Of three clouds, a quarter of the first is recorded as the second: 10 of 120 labels.  That one
// region has two kinds of labels is as good an explanation, which is not asked for here.
TEST(LabelViews, FindWhichOfThreeClassesIsTakenForWhich) {
  std::string text = "x,class\n";
  for (int i = 0; i < 120; ++i) {
    const int truth = i / 40;
    text +=
        fmt::format("{},c{}\n", 8.0 * truth + 0.1 * (i % 40), truth == 0 && i % 4 == 0 ? 1 : truth);
  }
  FitOptions options = quick();
  options.errors = {LabelErrors::by_class};
  const Classifier c = fit_table(table_of(text), options);
  const Question& q = c.questions[0];
  ASSERT_TRUE(c.is_joint());
  for (Index i = 0; i < 120; ++i) EXPECT_EQ(q.p_wrong[i] > 0.5, i < 40 && i % 4 == 0) << i;
  // The prior adds 0.4 wrong labels to two right ones of each class.
  EXPECT_NEAR(q.rate, (10.0 + 1.2) / (120.0 + 7.2), 0.02);
  EXPECT_LT(q.rate_interval.low, 10.0 / 120.0);
  EXPECT_GT(q.rate_interval.high, 10.0 / 120.0);
  EXPECT_GT(q.wrong_labels.high, 10.0);
  // New rows of the first class are recorded as the second as often, whatever that is; rows sum to 1.
  const ClassProbabilities p = predict(c, c.X.topRows(40));
  EXPECT_NEAR(p.observed.col(1).mean(), 1.0 / 4.0, 0.1);
  EXPECT_LT(p.clean.col(1).mean(), 0.1);
  EXPECT_LT((p.observed.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

// What a wrong label is instead goes by how often each class is recorded so, not by its row alone.
TEST(LabelViews, CountWhatAWrongLabelIsInsteadByItsHabits) {
  FitOptions options = quick();
  options.errors = {LabelErrors::by_class};
  const Classifier c = fit_table(table_of(three_classes(60)), options);
  const Question& q = c.questions[0];
  ASSERT_EQ(q.processes.size(), 1U);
  const Matrix& confusion = q.processes[0].confusion;
  for (Index i = 0; i < 60; ++i) {
    const Index given = c.label[static_cast<std::size_t>(i)];
    Vector others = q.p_class_loo.row(i).transpose().cwiseProduct(confusion.col(given));
    const double all = others.sum();
    others[given] = 0.0;
    // p_wrong is that of EP's last sweep; integrals agree to 1e-9.
    const Vector instead = q.p_instead.row(i);
    EXPECT_LT((instead - others / all).lpNorm<Eigen::Infinity>(), 1e-6) << i;
    EXPECT_EQ(instead[given], 0.0);
  }
}

// Trusted labels say what they are, the others by their rates; a weight is so many rows.
TEST(LabelViews, ComeToOneRateByTheSharesOfTrueClasses) {
  const AsymmetricThreshold rates{.flip_positive = 0.4, .flip_negative = 0.1};
  Observations observations{.y = Vector{{1.0, 1.0, -1.0, -1.0}}};
  const double rounding = 1e-15;
  // π = (0.5 - 0.1)/0.5
  EXPECT_NEAR(share_wrong(rates, recorded_labels(observations)), 0.8 * 0.4 + 0.2 * 0.1, rounding);
  observations.weight = Vector{{1.0, 1.0, 4.0, 4.0}};
  // π = (0.2 - 0.1)/0.5
  EXPECT_NEAR(share_wrong(rates, recorded_labels(observations)), 0.2 * 0.4 + 0.8 * 0.1, rounding);
  observations.weight = {};
  observations.known_flip_rate = Vector{{0.0, 0.0, rate_not_known, rate_not_known}};
  // Of two none is recorded as +1, which is less than the rate: π = 0 there, and ½ of all.
  EXPECT_NEAR(share_wrong(rates, recorded_labels(observations)), 0.5 * 0.4 + 0.5 * 0.1, rounding);
  observations.known_flip_rate = Vector{{0.0, rate_not_known, rate_not_known, rate_not_known}};
  // π = (1/3 - 0.1)/0.5 of three quarters, and 1 of the rest
  const double positive = 0.75 * (1.0 / 3.0 - 0.1) / 0.5 + 0.25;
  EXPECT_NEAR(share_wrong(rates, recorded_labels(observations)),
              positive * 0.4 + (1.0 - positive) * 0.1, rounding);
}

// Two plainly wrong labels among trusted ones: no more than two can be.
TEST(LabelViews, CountNoMoreWrongLabelsThanMayBeWrong) {
  std::string text = "x,class,checked\n";
  for (int i = 0; i < 40; ++i) {
    const bool wrong = i == 3 || i == 35, right = i >= 20;
    text += fmt::format("{},{},{}\n", i + 0.5, right != wrong ? "right" : "left", wrong ? 0 : 1);
  }
  const Classifier c = fit_table(table_of(text), quick(), {.label = "class", .trusted = "checked"});
  EXPECT_GT(c.questions[0].p_wrong.sum(), 1.0);
  EXPECT_LE(c.questions[0].wrong_labels.high, 2.0);
}

TEST(LabelViews, EstimateEachRateWhereErrorsDependOnTheClass) {
  FitOptions options = quick();
  options.errors = {LabelErrors::none, LabelErrors::by_class};
  const Question q = fit_table(table_of(two_classes(40)), options).questions[0];
  EXPECT_GT(q.rate, 0.0);
  EXPECT_LT(q.rate_interval.low, q.rate);
  EXPECT_GT(q.rate_interval.high, q.rate);
  // 4 of the 40 labels are wrong.
  EXPECT_LE(q.wrong_labels.low, 4.0);
  EXPECT_GE(q.wrong_labels.high, 4.0);
  EXPECT_LT(q.wrong_labels.high, 20.0);
}

TEST(LabelViews, SayNothingOfRatesWhereNoErrorsWereAskedFor) {
  FitOptions options = quick();
  options.errors = {LabelErrors::none};
  const Question q = fit_table(table_of(two_classes(30)), options).questions[0];
  EXPECT_EQ(q.rate, 0.0);
  EXPECT_EQ(q.p_wrong.maxCoeff(), 0.0);
  EXPECT_TRUE(std::isnan(q.margin));
}

TEST(LabelViews, HoldARateThatIsKnown) {
  FitOptions options = quick();
  options.rate = 0.2;
  for (const LabelErrors errors : {LabelErrors::uniform, LabelErrors::by_class}) {
    options.errors = {LabelErrors::none, errors};
    const Question q = fit_table(table_of(two_classes(40)), options).questions[0];
    EXPECT_NEAR(q.rate, 0.2, 1e-15);  // a mean of two equal numbers
    EXPECT_EQ(q.rate_interval.low, q.rate);
    EXPECT_EQ(q.rate_interval.high, q.rate);
    EXPECT_LT(q.wrong_labels.low, q.wrong_labels.high);
    EXPECT_LT(q.wrong_labels.high, 40.0);
    EXPECT_TRUE(std::isfinite(q.margin));
  }
}

}  // namespace
}  // namespace candor
