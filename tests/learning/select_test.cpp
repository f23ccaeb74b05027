// SPDX-License-Identifier: MIT
// Which view of the labels wins, by how much, and that wider views never lose to those they
// contain.
#include "ring.hpp"

#include <candor/learning/defaults.hpp>
#include <candor/learning/ensemble.hpp>
#include <candor/learning/select.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace candor::testing_support {
namespace {

Selection select_on(const Ring& ring, std::vector<LabelErrors> errors,
                    std::vector<NamedCovariance> covariances) {
  Selecting options;
  options.errors = std::move(errors);
  options.covariances = std::move(covariances);
  return select_model({ring.X, ring.observations, Threads{1}}, options);
}

std::vector<NamedCovariance> one_covariance() { return {default_covariances(2).front()}; }

const std::vector<LabelErrors> all(all_label_errors.begin(), all_label_errors.end());

TEST(SelectModel, NeverLeavesAWiderViewBelowTheOneItContains) {
  for (const double flips : {0.0, 0.05, 0.2}) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      const Selection selection = select_on(draw_ring(50, flips, seed), all, one_covariance());
      ASSERT_EQ(selection.candidates.size(), 3U);
      const Learned& regular = selection.candidates[0].learned;
      const Learned& robust = selection.candidates[1].learned;
      const Learned& by_class = selection.candidates[2].learned;
      EXPECT_GE(robust.value(), regular.value()) << "flips " << flips << ", seed " << seed;
      const double rounding = 1e-4;  // of rates that are at their bound instead of 0
      EXPECT_GE(by_class.value(), robust.value() - rounding)
          << "flips " << flips << ", seed " << seed;
      EXPECT_NEAR(by_class.log_prior, by_class.prior.at(by_class.theta).log_density, rounding);
    }
  }
}

TEST(SelectModel, KeepsTheGradientOfEachViewsOwnFamily) {
  for (const double flips : {0.0, 0.2}) {  // without errors wider views end at the narrower optimum
    const Ring ring = draw_ring(50, flips, 1);
    for (const Candidate& c : select_on(ring, all, one_covariance()).candidates) {
      Objective objective(c.learned.coordinates, c.learned.prior,
                          {ring.X, ring.observations, Threads{1}});
      const auto there = objective.evaluate(c.learned.theta, std::nullopt);
      ASSERT_TRUE(there) << c.name;
      // Both to the first power of what EP leaves open during a search.
      EXPECT_LT((c.learned.gradient - there->gradient).cwiseAbs().maxCoeff(), 0.02) << c.name;
    }
  }
}

TEST(SelectModel, FindsErrorsWhereTheyArePlanted) {
  const Selection selection = select_on(
      draw_ring(300, 0.12, 4), {LabelErrors::none, LabelErrors::uniform}, one_covariance());
  EXPECT_EQ(selection.chosen().errors, LabelErrors::uniform);
  EXPECT_GT(selection.margin(), 1.0);
  EXPECT_GT(selection.p_label_errors(), 0.7);
  EXPECT_TRUE(selection.verdict().starts_with("Some labels look wrong")) << selection.verdict();
  ASSERT_EQ(selection.chosen().rates.size(), 1U);
  const Interval rate = selection.chosen().rates[0].interval();
  EXPECT_LT(rate.low, 0.12);
  EXPECT_GT(rate.high, 0.12);
}

TEST(SelectModel, SaysThatCleanLabelsLookClean) {
  const Selection selection = select_on(
      draw_ring(150, 0.0, 5), {LabelErrors::uniform, LabelErrors::none}, one_covariance());
  EXPECT_EQ(selection.chosen().errors, LabelErrors::none);
  EXPECT_LT(selection.margin(), 0.0);
  EXPECT_TRUE(selection.verdict().starts_with("The labels look clean")) << selection.verdict();
}

TEST(SelectModel, LearnsEveryRateOfAViewAlsoWhereTheNarrowerOneHasNone) {
  const Selection selection = select_on(draw_ring(60, 0.0, 4), all, one_covariance());
  ASSERT_LT(selection.candidates[1].learned.approximation.p_wrong.maxCoeff(), 1e-3);
  ASSERT_EQ(selection.candidates[2].rates.size(), 2U);
  for (const RatePosterior& rate : selection.candidates[2].rates) EXPECT_GT(rate.rate.size(), 3);
}

TEST(SelectModel, DoubtsNoLabelForCertainWhereTheBestRateIsZero) {
  const Selection selection =
      select_on(draw_ring(80, 0.0, 5), {LabelErrors::none, LabelErrors::uniform}, one_covariance());
  const Candidate& robust = selection.candidates[1];
  ASSERT_LT(robust.learned.approximation.p_wrong.maxCoeff(), 1e-3);
  EXPECT_GT(robust.p_wrong().minCoeff(), 0.0);
  EXPECT_LT(robust.p_wrong().maxCoeff(), 0.5);
  EXPECT_EQ(selection.candidates[0].p_wrong().maxCoeff(), 0.0);
}

TEST(SelectModel, GivesProbabilitiesThatSumToOne) {
  const Selection selection = select_on(
      draw_ring(60, 0.1, 6), {LabelErrors::none, LabelErrors::uniform}, default_covariances(2));
  double sum = 0.0;
  for (const Candidate& c : selection.candidates) {
    EXPECT_TRUE(std::isfinite(c.log_integrated)) << c.name;
    sum += c.probability;
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_EQ(selection.candidates.size(), 6U);
}

TEST(SelectModel, TakesLaplaceWhereNoLabelIsDoubted) {
  const Ring ring = draw_ring(60, 0.0, 1);
  Selecting options;
  options.errors = {LabelErrors::none};
  options.covariances = one_covariance();
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Selection by_ep = select_model(data, options);
  options.inference = Laplace{};
  const Selection by_laplace = select_model(data, options);
  ASSERT_TRUE(by_laplace.chosen().converged());
  // Two approximations of one model: Laplace's evidence is off by some tenths on so few rows.
  EXPECT_NEAR(by_laplace.chosen().learned.log_evidence, by_ep.chosen().learned.log_evidence, 3.0);
  options.errors = {LabelErrors::uniform};
  EXPECT_THROW(static_cast<void>(select_model(data, options)), InvalidInput);
}

TEST(SelectModel, HoldsARateThatIsKnownAndLearnsTheRest) {
  const Ring ring = draw_ring(60, 0.1, 2);
  Selecting options;
  options.errors = all;
  options.covariances = one_covariance();
  options.rate = 0.1;
  const Selection selection = select_model({ring.X, ring.observations, Threads{1}}, options);
  const Model &regular = selection.candidates[0].learned.model,
              &robust = selection.candidates[1].learned.model,
              &by_class = selection.candidates[2].learned.model;
  EXPECT_TRUE(std::get<Threshold>(regular.likelihood).is_log_concave());
  EXPECT_EQ(std::get<Threshold>(robust.likelihood).flip_probability, 0.1);
  EXPECT_EQ(std::get<AsymmetricThreshold>(by_class.likelihood).flip_positive, 0.1);
  EXPECT_EQ(std::get<AsymmetricThreshold>(by_class.likelihood).flip_negative, 0.1);
  EXPECT_FALSE(robust.covariance == one_covariance()[0].covariance);
  for (const Candidate& c : selection.candidates) EXPECT_TRUE(c.rates.empty()) << c.name;
}

TEST(SelectModel, TakesAnotherRegularLikelihood) {
  const Ring ring = draw_ring(40, 0.0, 1);
  Selecting options;
  options.errors = {LabelErrors::none};
  options.covariances = one_covariance();
  options.inference = Laplace{};
  options.regular = Logistic{};
  const Selection selection = select_model({ring.X, ring.observations, Threads{1}}, options);
  EXPECT_TRUE(std::holds_alternative<Logistic>(selection.chosen().learned.model.likelihood));
}

TEST(SelectModel, LeavesOutACurvatureThatNoEvidenceRestsOn) {
  const Ring ring = draw_ring(60, 0.1, 3);
  Selecting options{.covariances = one_covariance()};
  options.learning.use_prior = false;
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Selection whole = select_model(data, options);
  options.curvature = false;
  const Selection selection = select_model(data, options);
  EXPECT_GT(whole.candidates[0].mode.evaluations, 0);
  EXPECT_EQ(selection.candidates[0].mode.evaluations, 0);
  EXPECT_GT(selection.candidates[1].mode.evaluations, 0) << "its rate is integrated out";
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(selection.candidates[k].log_integrated, whole.candidates[k].log_integrated);
  }
}

TEST(SelectModel, KnowsNoMarginBetweenOneViewAndItself) {
  const Selection selection =
      select_on(draw_ring(40, 0.1, 7), {LabelErrors::uniform}, one_covariance());
  EXPECT_TRUE(std::isnan(selection.margin()));
  EXPECT_EQ(selection.p_label_errors(), 1.0);
}

// Of some model: nothing but its view and its evidence is looked at.
Candidate with_evidence(LabelErrors errors, double log_integrated) {
  static const Selection any =
      select_on(draw_ring(20, 0.0, 1), {LabelErrors::none}, one_covariance());
  Candidate c = any.chosen();
  c.errors = errors;
  c.log_integrated = log_integrated;
  return c;
}

// Two covariances, two views with errors: (e² + e¹ + e⁰ + e⁰)/2 over e⁰ + e⁻¹.
TEST(Selection, TakesTheMarginFromTheDataAndTheProbabilityFromTheOddsToo) {
  using enum LabelErrors;
  const Selection selection = selection_of(
      {with_evidence(none, -50.0), with_evidence(uniform, -48.0), with_evidence(by_class, -49.0),
       with_evidence(none, -51.0), with_evidence(uniform, -50.0), with_evidence(by_class, -50.0)});
  const double e = std::numbers::e, odds = (e * e + e + 2.0) / 2.0 / (1.0 + 1.0 / e);
  const double rounding = 1e-14;
  EXPECT_NEAR(selection.margin(), std::log(odds), rounding);
  EXPECT_NEAR(selection.p_label_errors() / (1.0 - selection.p_label_errors()),
              prior_odds_of_errors * odds, 100.0 * rounding);
  EXPECT_EQ(selection.best, 1U);
}

// No data, no evidence: the odds are what they were, with one view of errors as with two.
TEST(Selection, DoesNotTakeASecondViewForEvidence) {
  using enum LabelErrors;
  for (const bool both : {false, true}) {
    std::vector<Candidate> candidates{with_evidence(none, 0.0), with_evidence(uniform, 0.0)};
    if (both) candidates.push_back(with_evidence(by_class, 0.0));
    const Selection selection = selection_of(std::move(candidates));
    EXPECT_NEAR(selection.margin(), 0.0, 1e-15);
    EXPECT_NEAR(selection.p_label_errors(), prior_odds_of_errors / (1.0 + prior_odds_of_errors),
                1e-15);
  }
}

TEST(Selection, LeavesOutWhatHasNoEvidence) {
  using enum LabelErrors;
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(
      selection_of({with_evidence(none, 0.0), with_evidence(uniform, no_number)}).margin()));
  EXPECT_EQ(selection_of({with_evidence(none, 1.0), with_evidence(uniform, 3.0),
                          with_evidence(none, no_number)})
                .margin(),
            2.0);
}

TEST(StrengthOf, FollowsTheScaleInBothDirections) {
  EXPECT_EQ(strength_of(0.5), "no more than a hint");
  EXPECT_EQ(strength_of(-2.0), "some evidence");
  EXPECT_EQ(strength_of(4.0), "strong evidence");
  EXPECT_EQ(strength_of(-50.0), "very strong evidence");
}

class EnsembleOnARing : public testing::TestWithParam<Average> {};

TEST_P(EnsembleOnARing, IsAMixtureWithWeightsThatSumToOne) {
  const Ring ring = draw_ring(50, 0.1, 8);
  const TrainingSet data{ring.X, ring.observations, Threads{1}};
  const Selection selection =
      select_on(ring, {LabelErrors::none, LabelErrors::uniform}, one_covariance());
  const Ensemble ensemble = average(selection, data, GetParam());
  double sum = 0.0;
  Vector p_wrong = Vector::Zero(50), p_clean = Vector::Zero(5);
  const Matrix X_test = Matrix::Random(5, 2);
  for (const Member& m : ensemble.members) {
    sum += m.weight;
    p_wrong += m.weight * m.p_wrong;
    p_clean +=
        m.weight *
        predict(m.approximation, m.model.covariance, m.model.likelihood, ring.X, X_test).p_clean;
  }
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_TRUE(ensemble.p_wrong().isApprox(p_wrong, 1e-12));
  const Prediction prediction = ensemble.predict(ring.X, X_test);
  EXPECT_TRUE(prediction.p_clean.isApprox(p_clean, 1e-12));
  EXPECT_GT(prediction.latent_variance.minCoeff(), 0.0);
  EXPECT_LE(ensemble.log_loo().maxCoeff(), 0.0);
  if (GetParam() == Average::none) {
    ASSERT_EQ(ensemble.members.size(), 1U);
    EXPECT_EQ(ensemble.members[0].name, selection.chosen().name);
  }
  if (GetParam() == Average::full) {
    EXPECT_GT(ensemble.members.size(), 5U);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EnsembleOnARing,
                         testing::Values(Average::none, Average::models, Average::full));

}  // namespace
}  // namespace candor::testing_support
