// SPDX-License-Identifier: MIT
// Learning from small tables: what it finds, what it leaves alone, and what it says when it is
// interrupted.
#include <candor/linalg/errors.hpp>

#include "tests/learning/learn_models.hpp"
#include "tests/learning/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace candor {
namespace {

// The slope that is left inside the box.
double slope_left(const Learned& learned) {
  const ThetaBounds box = learned.coordinates.bounds();
  const Vector next = box.project({learned.theta.value + learned.gradient}).value;
  return (next - learned.theta.value).lpNorm<Eigen::Infinity>();
}

bool is_inside(const Learned& learned) {
  const ThetaBounds box = learned.coordinates.bounds();
  return box.project(learned.theta).value == learned.theta.value;
}

TEST(Learn, EndsWhereTheGradientVanishes) {
  const Table table = ring(40, 3, 2);
  for (const Model& model : three_models) {
    const Learned learned = learn_from(table, model);
    EXPECT_EQ(learned.status, AscentStatus::converged) << name_of(model.likelihood);
    EXPECT_LT(slope_left(learned), 0.2) << name_of(model.likelihood);  // `flat` is 0.1
    EXPECT_TRUE(is_inside(learned));
    EXPECT_EQ(learned.names.size(), static_cast<std::size_t>(learned.theta.size()));
    EXPECT_GT(learned.evaluations, 0);
    EXPECT_GE(learned.sweeps, learned.evaluations - learned.failures);
    EXPECT_EQ(learned.starts, 3);
  }
}

TEST(Learn, EndsAboveEveryPointOfAGrid) {
  const Table table = ring(40, 3, 2);
  for (const Model& model : three_models) {
    const Learned learned = learn_from(table, model);
    Objective objective(Coordinates(model), learned.prior, {table.X, table.observations, {}});
    for (unsigned seed = 1; seed <= 30; ++seed) {
      const Theta theta{learned.theta.value + 1.5 * random_matrix(learned.theta.size(), 1, seed)};
      const auto e = objective.evaluate(objective.coordinates().bounds().project(theta), {});
      const double value = e ? e->value() : -std::numeric_limits<double>::infinity();
      EXPECT_LT(value, learned.value() + same_summit) << "seed " << seed;
    }
  }
}

TEST(Learn, ReturnsTheModelThatBelongsToItsTheta) {
  const Learned learned = learn_from(ring(40, 3, 2), robust);
  const Theta theta = Coordinates(robust).theta_of(learned.model);
  EXPECT_LT(difference(theta.value, learned.theta.value), 1e-12);
  EXPECT_EQ(learned.log_prior, learned.prior.at(learned.theta).log_density);
  EXPECT_EQ(learned.log_evidence, learned.approximation.log_evidence);
}

// A first look at a sample saves time and no more.
TEST(Learn, EndsAtTheSameSummitWithAndWithoutASample) {
  const Table table = ring(80, 6, 6);
  for (const Model& model : three_models) {
    const Learned whole = learn_from(table, model);
    for (const Index rows : {30, 15}) {  // one sample, and a second one of 40
      const Learned sampled = learn_from(table, model, {.sample_rows = rows});
      EXPECT_NEAR(sampled.value(), whole.value(), same_summit) << name_of(model.likelihood);
      EXPECT_LE(sampled.evaluations, whole.evaluations) << name_of(model.likelihood);
    }
  }
}

const std::string full_table = "maximising the evidence";

// Says no after so many questions, for ever after, and keeps what it was told.
struct Impatient {
  int patience;
  int asked = 0;
  double best = -std::numeric_limits<double>::infinity();

  bool operator()(const Progress& progress) {
    best = progress.stage == full_table ? progress.best : best;
    return asked++ < patience;
  }
};

// Laplace's evidence of a ring has a summit of short and one of long lengthscales, of which a sample
// may prefer the lower.
TEST(Learn, ByLaplaceNeverEndsBelowTheModelAsGiven) {
  const Covariance short_ones = SquaredExponential{.lengthscale = Vector::Constant(1, 0.3)};
  const Model model{
      .covariance = 5.4 * short_ones, .likelihood = Logistic{}, .inference = Laplace{}};
  for (const unsigned seed : {1U, 2U, 4U}) {
    const testing_support::Ring drawn = testing_support::draw_ring(600, 0.1, seed);
    const Table table{.name = "ring", .X = drawn.X, .observations = drawn.observations};
    const Learned learned = learn_from(table, model, {.use_prior = false, .sample_rows = 150});
    EXPECT_GE(learned.log_evidence, infer_with(model, table).log_evidence) << seed;
  }
}

TEST(Learn, ReturnsTheBestSoFarWhenCancelled) {
  const Table table = ring(50, 4, 5);
  for (const Index sample : {300, 20, 12}) {  // no sample, one, two
    for (const int patience : {0, 1, 2, 3, 5, 8, 13}) {
      Impatient watcher{patience};
      const Learned learned = learn_from(
          table, robust, {.sample_rows = sample, .watcher = [&](const Progress& progress) {
                            return watcher(progress);
                          }});
      EXPECT_EQ(learned.status, AscentStatus::cancelled) << patience << " of " << sample;
      EXPECT_TRUE(is_sound(learned));
      EXPECT_GE(learned.value(), watcher.best - same_summit) << patience << " of " << sample;
      EXPECT_LT(difference(learned.approximation, infer_with(learned.model, table)), same_answer);
    }
  }
}

// A single no is enough.
TEST(Learn, AsksNoMoreAfterItWasCancelled) {
  const Table table = ring(50, 4, 5);
  for (const Index sample : {300, 20, 12}) {  // no sample, one, two
    for (const int patience : {0, 1, 3, 6}) {
      int asked = 0;
      const Learned learned = learn_from(
          table, robust,
          {.sample_rows = sample, .watcher = [&](const Progress&) { return asked++ != patience; }});
      EXPECT_EQ(learned.status, AscentStatus::cancelled) << patience << " of " << sample;
      EXPECT_EQ(asked, patience + 1) << patience << " of " << sample;
    }
  }
}

TEST(Learn, SaysHowFarItIs) {
  std::vector<Progress> told;
  const Learned learned = learn_from(ring(50, 4, 5), robust,
                                     {.sample_rows = 12, .watcher = [&](const Progress& progress) {
                                        told.push_back(progress);
                                        return true;
                                      }});
  ASSERT_FALSE(told.empty());
  std::vector<std::string> stages{told.front().stage};
  for (std::size_t i = 1; i < told.size(); ++i) {
    if (told[i].stage != stages.back()) {
      stages.push_back(told[i].stage);
      continue;
    }
    EXPECT_GE(told[i].best, told[i - 1].best);
    EXPECT_GE(told[i].evaluations, told[i - 1].evaluations);
    EXPECT_GE(told[i].sweeps, told[i - 1].sweeps);
    EXPECT_FALSE(told[i].stage.empty());
  }
  EXPECT_EQ(stages, (std::vector<std::string>{"a first look at 12 rows", "a first look at 25 rows",
                                              full_table}));
  EXPECT_LE(told.back().evaluations, learned.evaluations);
}

TEST(Learn, SaysWhenItsEvaluationsAreSpent) {
  Learning options{.spread_starts = 0};
  options.ascent.max_evaluations = 2;
  const Learned learned = learn_from(ring(50, 4, 5), robust, options);
  EXPECT_EQ(learned.status, AscentStatus::out_of_evaluations);
  EXPECT_EQ(learned.evaluations, 2);
  EXPECT_TRUE(is_sound(learned));
}

// Learns with an engine that has so few sweeps that it fails in part of the space, and notes the
// best value met on the way.
struct Hampered {
  Learned learned;
  double best_seen;
};

Hampered hampered(const Table& table, int sweeps, Index sample) {
  Model model = robust;
  model.inference = Ep{.max_sweeps = sweeps};
  double best_seen = -std::numeric_limits<double>::infinity();
  const Watcher watcher = [&](const Progress& progress) {
    if (progress.stage == full_table) best_seen = std::max(best_seen, progress.best);
    return true;
  };
  Learned learned = learn_from(table, model, {.sample_rows = sample, .watcher = watcher});
  return {std::move(learned), best_seen};
}

// Where labels are clean, ε falls towards its bound on a slope that flattens out exponentially, and
// climbs give up at different places of it.
constexpr double flat_tail = 1e-3;

TEST(Learn, WorksWhereInferenceFailsInPartOfTheSpace) {
  const Table table = ring(80, 4, 7);  // large enough for few sweeps to fail often
  const double whole = learn_from(table, robust).value();
  int failures = 0;
  for (const Index sample : {300, 20}) {
    for (const int sweeps : {4, 5, 6, 7}) {
      const auto [learned, best_seen] = hampered(table, sweeps, sample);
      EXPECT_NEAR(learned.value(), whole, flat_tail) << sweeps << " of " << sample;
      EXPECT_GE(learned.value(), best_seen - same_summit) << sweeps << " of " << sample;
      EXPECT_EQ(learned.status, AscentStatus::converged);
      EXPECT_EQ(learned.approximation.outcome.status, Status::converged);
      failures += learned.failures;
    }
  }
  EXPECT_GT(failures, 5);
}

// With fewer sweeps still, only warm starts succeed at the best point.
TEST(Learn, KeepsTheBestPointSeenWhereOnlyAWarmStartReachesIt) {
  const Table table = ring(50, 4, 5);
  const int sweeps = 3;
  const auto [learned, best_seen] = hampered(table, sweeps, 300);
  ASSERT_NE(learned.status, AscentStatus::no_start);
  EXPECT_GE(learned.value(), best_seen - same_summit);
  Objective objective(learned.coordinates, learned.prior,
                      {table.X, table.observations, Threads{1}});
  EXPECT_FALSE(objective.evaluate(learned.theta, std::nullopt).has_value());
}

TEST(Learn, HasAnAnswerWhereInferenceFailsEverywhere) {
  const Table table = ring(30, 3, 5);
  Model model = robust;
  model.inference = Ep{.max_sweeps = 1, .max_sequential_sweeps = 0, .max_root_finder_rows = 0};
  for (const Index sample : {300, 12}) {
    const Learned learned = learn_from(table, model, {.sample_rows = sample});
    EXPECT_EQ(learned.status, AscentStatus::no_start);
    EXPECT_EQ(learned.failures, learned.evaluations);
    EXPECT_TRUE(is_sound(learned));
  }
}

// A search's EP has no ladder: where it fails from nothing, it goes on from the answer of the one
// that has.
TEST(Learn, BeginsFromTheSitesOfTheWholeLadder) {
  const Table table = ring(30, 3, 5);
  Model model = robust;
  model.inference = Ep{.max_sweeps = 1};
  const Learned learned = learn_from(table, model);
  EXPECT_NE(learned.status, AscentStatus::no_start);
  EXPECT_LT(learned.failures, learned.evaluations);
  EXPECT_TRUE(is_sound(learned));
}

// Two columns that decide the label and one that has nothing to do with it.
Table with_a_column_of_noise(Index n, unsigned seed) {
  Table table = ring(n, 0, seed);
  const Matrix relevant = table.X;
  table.X.resize(n, 3);
  table.X << relevant, 0.8 * random_matrix(n, 1, seed + 50);
  return table;
}

TEST(Learn, GivesAColumnOfNoiseALongLengthscale) {
  Model model = regular;
  model.covariance = 1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(3)});
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Table table = with_a_column_of_noise(100, seed);
    for (const bool use_prior : {true, false}) {
      const Learned learned = learn_from(table, model, {.use_prior = use_prior});
      const Vector l = learned.theta.value.segment(1, 3).array().exp();
      // The prior lets a column differ from the others by a factor of e^0.3 or so; alone, the
      // evidence has no use for the column at all.
      EXPECT_GT(l[2] / std::max(l[0], l[1]), use_prior ? 1.3 : 3.0)
          << "seed " << seed << ", lengthscales " << l.transpose();
    }
  }
}

TEST(Learn, WithoutAPriorIsPlainEvidence) {
  const Table table = ring(40, 3, 2);
  const Learned plain = learn_from(table, robust, {.use_prior = false});
  const Learned weak = learn_from(table, robust);
  EXPECT_EQ(plain.log_prior, 0.0);
  EXPECT_EQ(plain.value(), plain.log_evidence);
  EXPECT_GE(plain.log_evidence, weak.log_evidence - same_summit);
  EXPECT_GE(weak.value(),
            plain.log_evidence + weak.prior.at(plain.theta).log_density - same_summit);
}

// Separable labels want an infinite amplitude: the evidence runs to the bound, the prior does not.
TEST(Learn, KeepsWhatTheDataDoNotDetermineInsideTheBox) {
  Table table{"separable", Matrix(6, 1), labels(Vector(6))};
  table.X << -3.0, -2.0, -1.0, 1.0, 2.0, 3.0;
  table.observations.y << -1, -1, -1, 1, 1, 1;
  const Learned plain = learn_from(table, robust, {.use_prior = false});
  const Learned weak = learn_from(table, robust);
  EXPECT_TRUE(is_inside(plain));
  EXPECT_TRUE(is_sound(plain));
  EXPECT_GT(plain.theta.value[0], weak.theta.value[0]);
  EXPECT_LT(std::abs(weak.theta.value[0] - std::log(4.0 * 0.1)), 3.0 * 1.5);  // three deviations
}

// A start outside of the bounds is brought inside, and a parameter at its bound stays there.
TEST(Learn, TakesAStartAtOrBeyondABound) {
  const Table table = ring(30, 0, 2);
  for (const double rate : {1e-9, 0.4999}) {
    Model model = robust;
    model.likelihood = Threshold{.flip_probability = rate, .noise_variance = 0.1};
    const Learned learned = learn_from(table, model);
    EXPECT_TRUE(is_inside(learned));
    EXPECT_TRUE(is_sound(learned));
    const double found = std::get<Threshold>(learned.model.likelihood).flip_probability;
    EXPECT_GE(found, 1e-6 * (1.0 - 1e-12));
    EXPECT_LE(found, 0.499 * (1.0 + 1e-12));
  }
}

std::vector<Table> awkward_tables() {
  Table one_class = ring(12, 0, 3);
  one_class.name = "one class";
  one_class.observations.y.setOnes();
  Table one_row = rows_of(ring(3, 0, 3), {0});
  one_row.name = "one row";
  Table copies = rows_of(ring(6, 1, 3), {0, 0, 1, 1, 1, 2, 3, 3, 4, 5, 5, 5});
  copies.name = "copies";
  Table contradiction = copies;
  contradiction.name = "contradicting copies";
  contradiction.observations.y[0] *= -1.0;
  Table constant = ring(12, 1, 3);
  constant.name = "a constant column";
  constant.X.col(1).setConstant(4.0);
  Table all_constant = constant;
  all_constant.name = "constant columns";
  all_constant.X.setConstant(-2.0);
  Table huge = ring(12, 1, 3);
  huge.name = "huge inputs";
  huge.X *= 1e8;
  return {one_class, one_row, copies, contradiction, constant, all_constant, huge};
}

TEST(Learn, HasAnAnswerForAwkwardTables) {
  for (const Table& table : awkward_tables()) {
    for (Model model : three_models) {
      if (std::holds_alternative<Threshold>(model.likelihood)) {
        model.covariance = 1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(2)});
      }
      for (const bool use_prior : {true, false}) {
        const Learned learned = learn_from(table, model, {.use_prior = use_prior});
        EXPECT_NE(learned.status, AscentStatus::no_start) << table.name;
        EXPECT_TRUE(is_sound(learned)) << table.name << ", " << name_of(model.likelihood);
        EXPECT_TRUE(is_inside(learned)) << table.name;
      }
    }
  }
}

TEST(Learn, HasAnAnswerForAwkwardTablesWithASample) {
  for (const Table& table : awkward_tables()) {
    if (table.X.rows() < 8) continue;
    for (const Model& model : three_models) {
      const Learned learned = learn_from(table, model, {.sample_rows = 4});
      EXPECT_TRUE(is_sound(learned)) << table.name << ", " << name_of(model.likelihood);
    }
  }
}

TEST(Learn, NeverSuspectsATrustedRow) {
  for (const Index sample : {300, 15}) {
    Table table = ring(40, 6, 8);
    table.observations.known_flip_rate = Vector::Constant(40, rate_not_known);
    table.observations.known_flip_rate[3] = 0.0;  // the first of the flipped rows
    const Learned learned = learn_from(table, robust, {.sample_rows = sample});
    EXPECT_EQ(learned.approximation.p_wrong[3], 0.0);
    EXPECT_GT(learned.approximation.p_wrong[10], 0.0);  // the second
  }
}

TEST(Learn, LearnsNothingWhereAllIsHeld) {
  const Table table = ring(20, 2, 3);
  const Learned learned = learn_from(
      table, robust,
      {.choice = {.held = {"covariance.variance", "covariance.factor.lengthscale[0]",
                           "likelihood.flip_probability", "likelihood.noise_variance"}}});
  EXPECT_EQ(learned.status, AscentStatus::converged);
  EXPECT_EQ(learned.theta.size(), 0);
  EXPECT_NEAR(learned.log_evidence, infer_with(robust, table).log_evidence, 1e-9);
}

TEST(Learn, LooksWhereTheCallerPoints) {
  const Table table = ring(40, 3, 2);
  const Model best = learn_from(table, robust).model;
  const Learned learned = learn_from(table, robust, {.more_starts = {best}, .spread_starts = 0});
  EXPECT_EQ(learned.starts, 2);
  EXPECT_GE(learned.value(), learn_from(table, robust).value() - same_summit);
}

TEST(Learn, RefusesTheCallersMistakes) {
  const Table table = ring(20, 2, 3);
  EXPECT_THROW((void)learn_from(table, robust, {.choice = {.held = {"amplitude"}}}), InvalidInput);
  EXPECT_THROW((void)learn_from(table, robust, {.spread_starts = -1}), InvalidInput);
  EXPECT_THROW((void)learn_from(table, robust, {.sample_rows = 0}), InvalidInput);
  Table short_of_labels = table;
  short_of_labels.observations.y = table.observations.y.head(19).eval();
  EXPECT_THROW((void)learn_from(short_of_labels, robust), InvalidInput);
  EXPECT_THROW((void)learn_from(short_of_labels, robust, {.sample_rows = 5}), InvalidInput);
  Table infinite = table;
  infinite.X(3, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)learn_from(infinite, robust), InvalidInput);
}

TEST(Learn, RefusesAStartOfAnotherStructure) {
  const Model other{.covariance = Constant{}, .likelihood = Probit{}};
  EXPECT_THROW((void)learn_from(ring(20, 2, 3), robust, {.more_starts = {other}}), InvalidInput);
}

}  // namespace
}  // namespace candor
