// SPDX-License-Identifier: MIT
// Laws of learn(): what must not change its answer, each with a change that must.
#include <candor/covariance/log_parameters.hpp>

#include "tests/learning/learn_models.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

TEST(LearnLaws, WarmStartsNeverChangeTheAnswer) {
  for (const Index n : {30, 70}) {
    const Table table = ring(n, 4, 3);
    for (const Model& model : three_models) {
      for (const Index sample : {300, 20}) {
        const Learned learned = learn_from(table, model, {.sample_rows = sample});
        EXPECT_LT(difference(learned.approximation, infer_with(learned.model, table)), same_answer)
            << name_of(model.likelihood) << ", " << n << " rows, sample of " << sample;
      }
    }
  }
}

// A rate known for single rows makes a likelihood of ε = 0 one that is not log-concave: there can
// be several fixed points, here two.
TEST(LearnLaws, WarmStartsNeverChangeTheAnswerWhereRatesAreKnown) {
  const Model model{
      .covariance = 30.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)}),
      .likelihood = Threshold{.flip_probability = 0.0, .noise_variance = 0.01}};
  Table table = ring(40, 8, 41);
  table.observations.known_flip_rate = Vector::Constant(40, 0.02);
  const Learned learned =
      learn_from(table, model, {.use_prior = false, .spread_starts = 0, .sample_rows = 15});
  EXPECT_LT(difference(learned.approximation, infer_with(learned.model, table)), same_answer);
}

TEST(LearnMutants, AModelThatIsOneInAThousandOffHasAnotherAnswer) {
  const Table table = ring(30, 4, 3);
  Learned learned = learn_from(table, robust);
  Vector logs = log_parameters(learned.model.covariance);
  logs[1] += 1e-3;
  learned.model.covariance = with_log_parameters(learned.model.covariance, logs);
  EXPECT_GT(difference(learned.approximation, infer_with(learned.model, table)), 10 * same_answer);
}

TEST(LearnLaws, TheNumberOfThreadsDoesNotMatter) {
  const Table table = ring(70, 5, 4);
  for (const Model& model : three_models) {
    for (const Index sample : {300, 20}) {
      const Learned one = learn_from(table, model, {.sample_rows = sample}, 1);
      const Learned two = learn_from(table, model, {.sample_rows = sample}, 2);
      // Work is cut into the same pieces whoever does them: equal to the last bit.
      EXPECT_EQ(one.theta.value, two.theta.value);
      EXPECT_EQ(one.value(), two.value());
      EXPECT_EQ(one.evaluations, two.evaluations);
    }
  }
}

TEST(LearnLaws, LearningTwiceGivesTheSameBits) {
  const Table table = ring(30, 4, 3);
  EXPECT_EQ(learn_from(table, robust).theta.value, learn_from(table, robust).theta.value);
}

std::vector<Index> reversed(Index n) {
  std::vector<Index> order;
  for (Index i = n; i-- > 0;) order.push_back(i);
  return order;
}

// Sums over rows are rounded differently, and climbs take that to slightly different ends.
TEST(LearnLaws, TheOrderOfRowsDoesNotMatter) {
  const Table table = ring(50, 4, 5);
  const Table permuted = rows_of(table, reversed(50));
  for (const Model& model : three_models) {
    for (const Index sample : {300, 20}) {
      const Learned a = learn_from(table, model, {.sample_rows = sample});
      const Learned b = learn_from(permuted, model, {.sample_rows = sample});
      EXPECT_NEAR(a.value(), b.value(), same_summit) << name_of(model.likelihood);
      // A fall of 1e-4 at a curvature of 0.1 or more is 0.05 away.
      EXPECT_LT(difference(a.theta.value, b.theta.value), 0.05) << name_of(model.likelihood);
    }
  }
}

TEST(LearnMutants, AnotherLabelBreaksTheLawOfOrder) {
  const Table table = ring(50, 4, 5);
  Table other = rows_of(table, reversed(50));
  other.observations.y[0] *= -1.0;
  EXPECT_GT(std::abs(learn_from(table, robust).value() - learn_from(other, robust).value()),
            100 * same_summit);
}

// Two of every row: the same sums, the same column deviations, the same prior.
TEST(LearnLaws, RowsOfWeightTwoAreTwoRows) {
  Table weighted = ring(25, 2, 7);
  std::vector<Index> twice;
  for (Index i = 0; i < 50; ++i) twice.push_back(i / 2);
  const Table copied = rows_of(weighted, twice);
  weighted.observations.weight = Vector::Constant(25, 2.0);
  const Learned a = learn_from(weighted, robust), b = learn_from(copied, robust);
  EXPECT_NEAR(a.value(), b.value(), same_summit);
  EXPECT_GT(std::abs(a.value() - learn_from(ring(25, 2, 7), robust).value()), 1.0);
}

// Rows far out count four times.  The prior's centre has to see that too.
TEST(LearnLaws, ARowOfWeightKIsKRows) {
  Table weighted = ring(25, 2, 7);
  weighted.observations.weight = Vector::Ones(25);
  std::vector<Index> order;
  for (Index i = 0; i < 25; ++i) {
    const Index times = weighted.X.row(i).norm() > 1.2 ? 4 : 1;
    weighted.observations.weight[i] = static_cast<double>(times);
    order.insert(order.end(), static_cast<std::size_t>(times), i);
  }
  Table copied = rows_of(weighted, order);
  copied.observations.weight = Vector();
  EXPECT_NEAR(learn_from(weighted, robust).value(), learn_from(copied, robust).value(),
              same_summit);
}

TEST(LearnLaws, WithAllRowsTrustedTheRobustModelIsTheRegularOne) {
  Table table = ring(30, 0, 8);
  Model clean = robust;
  clean.likelihood = Threshold{.flip_probability = 0.0, .noise_variance = 0.1};
  const Learned expected = learn_from(table, clean);
  table.observations.known_flip_rate = Vector::Zero(30);
  const Learned trusted = learn_from(table, robust);
  EXPECT_NEAR(trusted.value(), expected.value(), same_summit);
  EXPECT_EQ(trusted.approximation.p_wrong, Vector::Zero(30));
}

}  // namespace
}  // namespace candor
