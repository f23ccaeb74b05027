// SPDX-License-Identifier: MIT
// Climbing in a box: functions whose top is known, and functions that fail, lie or never end.
#include <candor/learning/ascent.hpp>

#include "tests/inference/zoo.hpp"
#include "tests/learning/print.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Stops where the next step promises 1e-10 and no slope exceeds 1e-5.
const Ascent fine{.max_evaluations = 500, .tolerance = 1e-10, .flat = 1e-5};

ThetaBounds cube(Index size, double low, double high) {
  return {{Vector::Constant(size, low)}, {Vector::Constant(size, high)}};
}

// -½ (x - top)ᵀ A (x - top)
struct Quadratic {
  Matrix A;
  Vector top;

  std::optional<Height> operator()(const Theta& theta) const {
    const Vector d = theta.value - top;
    return Height{-0.5 * d.dot(A * d), -A * d};
  }
};

// Curvatures from 1 to `condition`, along random axes.
Quadratic quadratic(Index size, double condition, unsigned seed) {
  const Matrix axes = Eigen::HouseholderQR<Matrix>(random_matrix(size, size, seed)).householderQ();
  const Vector curvature = Vector::LinSpaced(size, 0.0, std::log(condition)).array().exp();
  return {axes * curvature.asDiagonal() * axes.transpose(), random_matrix(size, 1, seed + 1)};
}

// [NW06, eq. 2.22], upside down; its top is at (1, 1).
std::optional<Height> rosenbrock(const Theta& theta) {
  const double x = theta.value[0], y = theta.value[1];
  const double valley = y - x * x;
  return Height{-100.0 * valley * valley - (1.0 - x) * (1.0 - x),
                Vector{{400.0 * x * valley + 2.0 * (1.0 - x), -200.0 * valley}}};
}

// Notes the best value met and whether the box was left.
struct Witness {
  Landscape landscape;
  ThetaBounds box;
  double best = -infinity;
  int evaluations = 0;
  bool left_the_box = false;

  Landscape watched() {
    return [this](const Theta& theta) {
      ++evaluations;
      if (box.project(theta).value != theta.value) left_the_box = true;
      const std::optional<Height> height = landscape(theta);
      if (height) best = std::max(best, height->value);
      return height;
    };
  }
};

// How far the gradient still leads inside the box.
double slope_left(const Summit& summit, const ThetaBounds& box) {
  const Vector next = box.project({summit.theta.value + summit.gradient}).value;
  return (next - summit.theta.value).lpNorm<Eigen::Infinity>();
}

TEST(Climb, FindsTheTopOfAQuadraticInTenDimensions) {
  const Quadratic f = quadratic(10, 100.0, 3);
  const Summit summit = climb(f, {Vector::Zero(10)}, cube(10, -20.0, 20.0), fine);
  EXPECT_EQ(summit.status, AscentStatus::converged);
  // Slopes below 1e-5 over curvatures of 1 and more, ten of them.
  EXPECT_LT(difference(summit.theta.value, f.top), 1e-4);
  // Conjugate directions would take 2 evaluations in each dimension.
  EXPECT_LT(summit.evaluations, 60);
}

TEST(Climb, FollowsTheValleyOfRosenbrock) {
  const Summit summit = climb(rosenbrock, {Vector{{-1.2, 1.0}}}, cube(2, -2.0, 2.0), fine);
  EXPECT_EQ(summit.status, AscentStatus::converged);
  // The valley's curvature is 0.4.
  EXPECT_LT((summit.theta.value - Vector::Ones(2)).norm(), 1e-4);
  EXPECT_LT(summit.evaluations, 100);
}

TEST(Climb, FindsATopOnTheBoundary) {
  const ThetaBounds box{{Vector{{-2.0, -2.0}}}, {Vector{{0.5, 2.0}}}};
  const Summit summit = climb(rosenbrock, {Vector{{-1.2, 1.0}}}, box, fine);
  EXPECT_EQ(summit.status, AscentStatus::converged);
  EXPECT_EQ(summit.theta.value[0], 0.5);
  EXPECT_NEAR(summit.theta.value[1], 0.25, 1e-6);  // curvature 200
}

TEST(Climb, FindsATopInTheCorner) {
  const Summit summit = climb(rosenbrock, {Vector{{-1.2, 1.0}}}, cube(2, -2.0, 0.1), fine);
  EXPECT_EQ(summit.status, AscentStatus::converged);
  EXPECT_NEAR(summit.theta.value[0], 0.1, 1e-4);
  EXPECT_NEAR(summit.theta.value[1], 0.01, 1e-4);
}

TEST(Climb, BringsAStartOutsideTheBoxInside) {
  Witness witness{rosenbrock, cube(2, -2.0, 2.0)};
  const Summit summit = climb(witness.watched(), {Vector{{-7.0, 9.0}}}, witness.box, fine);
  EXPECT_FALSE(witness.left_the_box);
  EXPECT_LT((summit.theta.value - Vector::Ones(2)).norm(), 1e-4);
}

TEST(ClimbLaws, EndsWhereNoSlopeLeadsUpInsideTheBox) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Quadratic f = quadratic(5, 1000.0, 2 * seed);
    Witness witness{f, cube(5, -0.8, 0.8)};  // some of the tops lie outside in some coordinates
    const Summit summit =
        climb(witness.watched(), {random_matrix(5, 1, 100 + seed)}, witness.box, fine);
    EXPECT_EQ(summit.status, AscentStatus::converged) << "seed " << seed;
    EXPECT_LT(slope_left(summit, witness.box), 1e-4) << "seed " << seed;
    EXPECT_FALSE(witness.left_the_box) << "seed " << seed;
  }
}

TEST(ClimbLaws, TheBestPointSeenIsKept) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Quadratic f = quadratic(5, 1000.0, 2 * seed);
    for (const int evaluations : {1, 2, 3, 5, 8, 13, 200}) {
      Witness witness{f, cube(5, -0.8, 0.8)};
      const Summit summit = climb(witness.watched(), {random_matrix(5, 1, 100 + seed)}, witness.box,
                                  {.max_evaluations = evaluations});
      EXPECT_EQ(summit.value, witness.best) << "seed " << seed << ", " << evaluations;
      EXPECT_EQ(summit.value, f(summit.theta)->value) << "seed " << seed;
      EXPECT_EQ(summit.gradient, f(summit.theta)->gradient) << "seed " << seed;
      EXPECT_EQ(summit.evaluations, witness.evaluations) << "seed " << seed;
    }
  }
}

TEST(ClimbLaws, TheBestPointSeenIsKeptOnACurvedRidge) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Witness witness{rosenbrock, cube(2, -1.5, 0.7)};
    const Summit summit = climb(witness.watched(), {random_matrix(2, 1, seed)}, witness.box, fine);
    EXPECT_EQ(summit.value, witness.best) << "seed " << seed;
    EXPECT_NEAR(summit.theta.value[0], 0.7, 1e-4) << "seed " << seed;
  }
}

// The function has no value beyond a wall just behind its top.  A climb that runs into the wall has
// to leave it by the way it came, and may end a little below the top.
TEST(Climb, ReachesATopBesideTheHalfOfTheSpaceThatFails) {
  int failures = 0, converged = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Quadratic f = quadratic(5, 30.0, 2 * seed);
    const Landscape half = [&](const Theta& theta) -> std::optional<Height> {
      if (theta.value[0] > f.top[0] + 0.01) return std::nullopt;
      return f(theta);
    };
    Vector start = f.top + 2.0 * random_matrix(5, 1, 300 + seed);
    start[0] = f.top[0] - 4.0;
    Ascent options = fine;
    options.max_failures = 100;
    const Summit summit = climb(half, {start}, cube(5, -20.0, 20.0), options);
    EXPECT_GT(summit.value, -0.1) << "seed " << seed;  // from -50 and less
    failures += summit.failures;
    if (summit.status != AscentStatus::converged) continue;
    ++converged;
    EXPECT_LT(difference(summit.theta.value, f.top), 1e-4) << "seed " << seed;
  }
  EXPECT_GE(converged, 16);
  EXPECT_GT(failures, 20);  // the wall was met, on average once
}

// It rises up to the wall: there is no top, but there is a best point.
std::optional<Height> rising_to_a_wall(const Theta& theta) {
  if (theta.value[0] > 1.0) return std::nullopt;
  return Height{theta.value[0] - theta.value[1] * theta.value[1],
                Vector{{1.0, -2.0 * theta.value[1]}}};
}

TEST(Climb, ComesCloseToAWallBehindWhichTheFunctionFails) {
  const Summit summit =
      climb(rising_to_a_wall, {Vector{{-3.0, 1.0}}}, cube(2, -9.0, 9.0), {.max_failures = 150});
  EXPECT_NE(summit.status, AscentStatus::no_start);
  EXPECT_LE(summit.theta.value[0], 1.0);
  EXPECT_GT(summit.theta.value[0], 0.9);
  EXPECT_GT(summit.value, 0.0);  // from -4
}

TEST(Climb, GivesUpAfterSoManyFailures) {
  for (const int most : {1, 5, 12}) {
    Witness witness{rising_to_a_wall, cube(2, -9.0, 9.0)};
    const Summit summit =
        climb(witness.watched(), {Vector{{-3.0, 1.0}}}, witness.box, {.max_failures = most});
    EXPECT_EQ(summit.status, AscentStatus::stalled);
    EXPECT_EQ(summit.failures, most);
    EXPECT_EQ(summit.value, witness.best);
  }
}

TEST(Climb, SaysNoStartWhereTheFunctionFailsAtOnce) {
  const Landscape nowhere = [](const Theta&) { return std::optional<Height>{}; };
  const Summit summit = climb(nowhere, {Vector::Constant(2, 7.0)}, cube(2, -1.0, 1.0));
  EXPECT_EQ(summit.status, AscentStatus::no_start);
  EXPECT_EQ(summit.evaluations, 1);
  EXPECT_EQ(summit.failures, 1);
  EXPECT_EQ(summit.theta.value, Vector::Ones(2));  // where it was tried
}

TEST(Climb, KeepsTheOnlyPointThatDoesNotFail) {
  const Vector start = Vector::Constant(2, 0.5);
  const Landscape island = [&](const Theta& theta) -> std::optional<Height> {
    if (theta.value != start) return std::nullopt;
    return Height{-1.0, Vector::Ones(2)};
  };
  const Summit summit = climb(island, {start}, cube(2, -1.0, 1.0));
  EXPECT_EQ(summit.status, AscentStatus::stalled);
  EXPECT_EQ(summit.theta.value, start);
  EXPECT_EQ(summit.value, -1.0);
}

TEST(Climb, EndsWithTheBestSoFarWhenCancelled) {
  for (const int patience : {0, 1, 2, 5, 9}) {
    Witness witness{rosenbrock, cube(2, -2.0, 2.0)};
    int asked = 0;
    const Summit summit = climb(witness.watched(), {Vector{{-1.2, 1.0}}}, witness.box, fine,
                                [&] { return asked++ < patience; });
    EXPECT_EQ(summit.status, AscentStatus::cancelled);
    EXPECT_EQ(summit.evaluations, 1 + patience);
    EXPECT_EQ(summit.value, witness.best);
  }
}

TEST(Climb, AsksBeforeEveryEvaluationButTheFirst) {
  int asked = 0;
  const Summit summit = climb(rosenbrock, {Vector{{-1.2, 1.0}}}, cube(2, -2.0, 2.0), fine, [&] {
    ++asked;
    return true;
  });
  EXPECT_EQ(asked, summit.evaluations - 1);
}

TEST(Climb, SaysWhenItsEvaluationsAreSpent) {
  for (const int evaluations : {1, 4, 9}) {
    const Summit summit = climb(rosenbrock, {Vector{{-1.2, 1.0}}}, cube(2, -2.0, 2.0),
                                {.max_evaluations = evaluations});
    EXPECT_EQ(summit.status, AscentStatus::out_of_evaluations);
    EXPECT_EQ(summit.evaluations, evaluations);
  }
}

TEST(Climb, StandsStillWhereItStartsAtTheTop) {
  const Quadratic f = quadratic(4, 10.0, 5);
  const Summit summit = climb(f, {f.top}, cube(4, -9.0, 9.0));
  EXPECT_EQ(summit.status, AscentStatus::converged);
  EXPECT_EQ(summit.evaluations, 1);
}

TEST(Climb, HasNothingToDoWithoutCoordinates) {
  const Landscape constant = [](const Theta&) { return Height{3.0, Vector()}; };
  const Summit summit = climb(constant, {Vector()}, {{Vector()}, {Vector()}});
  EXPECT_EQ(summit.status, AscentStatus::converged);
  EXPECT_EQ(summit.value, 3.0);
}

TEST(Climb, IsFasterWithTheCurvatureOfASimilarFunction) {
  const ThetaBounds box = cube(8, -20.0, 20.0);
  int without = 0, with = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Quadratic f = quadratic(8, 200.0, 2 * seed);
    const Summit rough = climb(f, {Vector::Zero(8)}, box, fine);
    EXPECT_FALSE(rough.curvature.empty());
    f.A *= 1.1;
    f.top += 0.3 * random_matrix(8, 1, 200 + seed);
    without += climb(f, rough.theta, box, fine).evaluations;
    const Summit again = climb(f, rough.theta, box, fine, {}, rough.curvature);
    with += again.evaluations;
    EXPECT_LT(difference(again.theta.value, f.top), 1e-4) << "seed " << seed;
  }
  EXPECT_LT(with, 0.8 * without);
}

// Pairs that bend the wrong way, or that belong to another function, cost time and no more.
TEST(Climb, SurvivesMisleadingCurvature) {
  const Quadratic f = quadratic(3, 20.0, 5);
  const Vector e = Vector::Unit(3, 0);
  for (const double bend : {-1.0, 0.0, 1e-9, 1e9}) {
    const Summit summit =
        climb(f, {Vector::Zero(3)}, cube(3, -9.0, 9.0), fine, {}, {{e, bend * e}});
    EXPECT_EQ(summit.status, AscentStatus::converged) << bend;
    EXPECT_LT(difference(summit.theta.value, f.top), 1e-4) << bend;
  }
}

TEST(ClimbMutants, AGradientOfTheWrongSignIsNotCalledConverged) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Quadratic f = quadratic(4, 50.0, 2 * seed);
    const Landscape wrong = [&](const Theta& theta) -> std::optional<Height> {
      return Height{f(theta)->value, -f(theta)->gradient};
    };
    const Summit summit = climb(wrong, {Vector::Zero(4)}, cube(4, -9.0, 9.0));
    EXPECT_NE(summit.status, AscentStatus::converged) << "seed " << seed;
    EXPECT_GE(summit.value, f({Vector::Zero(4)})->value) << "seed " << seed;
  }
}

TEST(ClimbMutants, AGradientOfOneWrongCoordinateIsNotCalledConverged) {
  const Quadratic f = quadratic(4, 50.0, 6);
  const Landscape wrong = [&](const Theta& theta) -> std::optional<Height> {
    Height height = *f(theta);
    height.gradient[2] *= -1.0;
    return height;
  };
  const Summit summit = climb(wrong, {Vector::Zero(4)}, cube(4, -9.0, 9.0));
  const bool at_the_top = difference(summit.theta.value, f.top) < 1e-2;
  EXPECT_TRUE(summit.status != AscentStatus::converged || at_the_top);
}

TEST(Climb, TakesAValueThatIsNotANumberForNoRise) {
  const Quadratic f = quadratic(3, 20.0, 5);
  const Landscape holes = [&](const Theta& theta) -> std::optional<Height> {
    if (theta.value[0] > f.top[0] + 0.05) return Height{std::nan(""), Vector::Zero(3)};
    return f(theta);
  };
  Vector start = f.top;
  start[0] -= 4.0;
  const Summit summit = climb(holes, {start}, cube(3, -9.0, 9.0), fine);
  EXPECT_LT(difference(summit.theta.value, f.top), 1e-4);
}

TEST(AscentStatus, HasANameForEach) {
  for (const auto& [status, name] : {std::pair{AscentStatus::converged, "converged"},
                                     {AscentStatus::stalled, "stalled"},
                                     {AscentStatus::out_of_evaluations, "out of evaluations"},
                                     {AscentStatus::cancelled, "cancelled"},
                                     {AscentStatus::no_start, "no start"}}) {
    EXPECT_EQ(name_of(status), name);
  }
}

}  // namespace
}  // namespace candor
