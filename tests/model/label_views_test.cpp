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

TEST(LabelViews, AreAllOfTwoClassesWhoseRateIsNotKnown) {
  using enum LabelErrors;
  FitOptions options;
  EXPECT_EQ(label_views(options, 2), (std::vector{none, uniform, by_class}));
  EXPECT_EQ(label_views(options, 3), (std::vector{none, uniform}));
  EXPECT_EQ(label_views(options, 2, {true, true}), std::vector{none});
  EXPECT_EQ(label_views(options, 2, {true, false}), (std::vector{none, uniform, by_class}));
  options.rate = 0.1;
  EXPECT_EQ(label_views(options, 2), (std::vector{none, uniform}));
  options.errors = {by_class};
  EXPECT_EQ(label_views(options, 2), (std::vector{by_class}));
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
