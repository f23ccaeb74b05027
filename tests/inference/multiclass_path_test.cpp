// SPDX-License-Identifier: MIT
// The problems on the way that EP's continuation takes for many classes.
#include <candor/inference/multiclass_path.hpp>
#include <candor/inference/path_position.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double prior_variance = 4.0;
// Products of a few numbers near 1.
constexpr double rounding = 1e-15;

// Three rows: with the rate of all, with a rate of its own, trusted.
ClassProblem three_rows(double rate, Matrix confusion = {}) {
  ClassProblem problem{RobustMax{rate, 0.5, 3}, {.y = Vector{{0.0, 1.0, 2.0}}, .classes = 3}};
  problem.observations.known_flip_rate = Vector{{unknown, 0.2, 0.0}};
  problem.observations.confusion = std::move(confusion);
  return problem;
}

const Matrix confused{{0.9, 0.1, 0.0}, {0.2, 0.7, 0.1}, {0.0, 0.05, 0.95}};

// Of a label that is drawn by chance instead in a share s of all, wrong is the drawn one with
// probability 2/3 of three.
double mixed(double rate, double s) { return (1.0 - s) * rate + s * 2.0 / 3.0; }

// A path by which the same share is given to the right label: no chance says so.
double mixed_by_mistake(double rate, double s) { return (1.0 - s) * rate + s / 3.0; }

double share_of_chance(double t) {
  return std::pow((1.0 - t) * std::pow(0.9, 0.25), 4.0);  // 0.9 at 0, 0 at 1, linear in its root
}

TEST(MulticlassPath, EndsAtTheProblemItself) {
  const ClassProblem wanted = three_rows(0.03, confused);
  for (const ClassPath path : {ClassPath::random_labels, ClassPath::latent_noise}) {
    const auto there = problem_along(path, 1.0, wanted, prior_variance);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->likelihood.flip_probability, wanted.likelihood.flip_probability);
    EXPECT_EQ(there->likelihood.noise_variance, wanted.likelihood.noise_variance);
    EXPECT_EQ(there->observations.confusion, wanted.observations.confusion);
    EXPECT_EQ(there->observations.known_flip_rate.tail(2),
              wanted.observations.known_flip_rate.tail(2));
    EXPECT_TRUE(std::isnan(there->observations.known_flip_rate[0]));
  }
}

TEST(MulticlassPath, DrawsAShareOfAllLabelsByChance) {
  const ClassProblem wanted = three_rows(0.03);
  for (const double t : {0.0, 0.5, 0.9}) {
    const double s = share_of_chance(t);
    const auto there = problem_along(ClassPath::random_labels, t, wanted, prior_variance);
    ASSERT_TRUE(there);
    EXPECT_NEAR(there->likelihood.flip_probability, mixed(0.03, s), rounding);
    EXPECT_GT(std::abs(there->likelihood.flip_probability - mixed_by_mistake(0.03, s)),
              1e-6);  // the mutant
    EXPECT_TRUE(std::isnan(there->observations.known_flip_rate[0]));
    EXPECT_NEAR(there->observations.known_flip_rate[1], mixed(0.2, s), rounding);
    EXPECT_NEAR(there->observations.known_flip_rate[2], mixed(0.0, s), rounding);
    EXPECT_EQ(there->likelihood.noise_variance, wanted.likelihood.noise_variance);
  }
}

// Of each true class the recorded ones are a distribution, all along the way.
TEST(MulticlassPath, KeepsConfusionsDistributions) {
  const ClassProblem wanted = three_rows(0.03, confused);
  for (const double t : {0.0, 0.5, 0.9}) {
    const auto there = problem_along(ClassPath::random_labels, t, wanted, prior_variance);
    ASSERT_TRUE(there);
    const Matrix& shares = there->observations.confusion;
    const auto distance_from_one = [](const Matrix& m) {
      return (m.rowwise().sum().array() - 1.0).abs().maxCoeff();
    };
    EXPECT_LT(distance_from_one(shares), rounding);
    EXPECT_GT(shares.minCoeff(), 0.0);
    const double s = share_of_chance(t);
    const Matrix by_true_class = ((1.0 - s) * confused).array() + s / 2.0;  // the mutant
    EXPECT_GT(distance_from_one(by_true_class), 1e-6);
  }
}

// One rate for all is the confusion that spreads it over the other classes, here too.
TEST(MulticlassPath, ConfusesAlikeAsOneRateDoes) {
  constexpr double rate = 0.06;
  Matrix alike = Matrix::Constant(3, 3, rate / 2.0);
  alike.diagonal().setConstant(1.0 - rate);
  for (const double t : {0.0, 0.5, 0.9}) {
    const auto one = problem_along(ClassPath::random_labels, t, three_rows(rate), prior_variance);
    const auto each =
        problem_along(ClassPath::random_labels, t, three_rows(0.0, alike), prior_variance);
    const double now = one->likelihood.flip_probability;
    const Matrix& shares = each->observations.confusion;
    EXPECT_NEAR(shares(0, 0), 1.0 - now, rounding);
    EXPECT_NEAR(shares(0, 1), now / 2.0, rounding);
  }
}

TEST(MulticlassPath, FallsFromTheNoiseOfThePrior) {
  const ClassProblem wanted = three_rows(0.03);
  const auto at = [&](double t) {
    return problem_along(ClassPath::latent_noise, t, wanted, prior_variance)
        ->likelihood.noise_variance;
  };
  EXPECT_NEAR(at(0.0), prior_variance, 4.0 * rounding);
  EXPECT_NEAR(at(0.5), std::sqrt(prior_variance * 0.5), 4.0 * rounding);  // geometric mean
  EXPECT_EQ(problem_along(ClassPath::latent_noise, 0.0, wanted, prior_variance)
                ->likelihood.flip_probability,
            0.03);
}

TEST(MulticlassPath, IsThereOnlyWhereThereIsAWayToGo) {
  ClassProblem certain = three_rows(0.0);
  certain.observations.known_flip_rate = {};
  EXPECT_FALSE(problem_along(ClassPath::random_labels, 0.0, certain, prior_variance));
  EXPECT_TRUE(problem_along(ClassPath::random_labels, 0.0, three_rows(0.0), prior_variance));
  EXPECT_FALSE(problem_along(ClassPath::latent_noise, 0.0, certain, 0.5));  // is v₂ already
  EXPECT_TRUE(problem_along(ClassPath::latent_noise, 0.0, certain, 0.51));
}

TEST(PathPosition, ReachesAStepWithoutNoiseOnlyAtItsEnd) {
  EXPECT_EQ(noise_along(1.0, 4.0, 0.0), 0.0);
  EXPECT_GT(noise_along(0.999, 4.0, 0.0), 0.0);
}

TEST(PathPosition, EndsAtTheRateThatIsWanted) {
  EXPECT_NEAR(rate_along(0.0, 0.45, 0.02), 0.45, rounding);
  EXPECT_EQ(rate_along(1.0, 0.45, 0.02), 0.02);
}

}  // namespace
}  // namespace candor
