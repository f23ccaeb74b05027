// SPDX-License-Identifier: MIT
// EP for many classes where its loop runs in circles: sharp boundaries, and a few labels on the wrong
// side of them that are hardly ever wrong.
#include "zoo.hpp"

#include <candor/inference/multiclass_ep.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numbers>
#include <ostream>
#include <random>

namespace candor {
namespace {

// Without the rungs above the loop from the prior.
constexpr Ep impatient{.max_sequential_sweeps = 0};

// Forty rows of the plane; three of them, or fewer, have the next label.
struct Problem {
  ClassForm form;
  Index classes;
  double rate, lengthscale;
  unsigned seed;
  double variance = 100.0;
  Matrix X = random_matrix(40, 2, seed);

  [[nodiscard]] Observations observations() const {
    Observations all{.y = Vector(X.rows()), .classes = classes};
    for (Index i = 0; i < X.rows(); ++i) {
      const double turn = std::atan2(X(i, 1), X(i, 0)) / (2.0 * std::numbers::pi) + 0.5;
      all.y[i] = std::floor(turn * static_cast<double>(classes));
    }
    std::mt19937_64 random(seed);
    for (int k = 0; k < 3; ++k) {
      double& y = all.y[static_cast<Index>(random() % static_cast<std::uint64_t>(X.rows()))];
      y = std::fmod(y + 1.0, static_cast<double>(classes));
    }
    return all;
  }
  [[nodiscard]] Covariance covariance() const {
    return variance * Covariance(SquaredExponential{.lengthscale = Vector{{lengthscale}}});
  }
  [[nodiscard]] Approximation solve(const Observations& labels, const Ep& engine = {},
                                    const std::optional<Sites>& start = std::nullopt) const {
    return multiclass_ep(engine, RobustMax{rate, 1.0, classes}, labels,
                         class_posterior(form, classes, {covariance()}, X, Threads{1}), start);
  }
};

std::ostream& operator<<(std::ostream& out, const Problem& p) {
  return out << name_of(p.form) << " " << p.classes << " " << p.rate << " seed " << p.seed;
}

class HardMulticlass : public testing::TestWithParam<Problem> {};
INSTANTIATE_TEST_SUITE_P(Seeds, HardMulticlass,
                         testing::Values(Problem{ClassForm::coupled, 2, 0.003, 2.0, 0},
                                         Problem{ClassForm::coupled, 3, 0.003, 1.0, 6},
                                         Problem{ClassForm::coupled, 3, 0.01, 1.0, 1},
                                         Problem{ClassForm::coupled, 3, 0.03, 2.0, 8},
                                         Problem{ClassForm::factorised, 2, 0.003, 2.0, 7}));

TEST_P(HardMulticlass, ConvergesByContinuation) {
  const Problem problem = GetParam();
  const Approximation q = problem.solve(problem.observations());
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_EQ(q.outcome.rung, Rung::continuation);
}

// What the test above would not notice if the loop did it all.
TEST_P(HardMulticlass, DoesNotConvergeWithout) {
  const Problem problem = GetParam();
  const Approximation q = problem.solve(problem.observations(), impatient);
  EXPECT_EQ(q.outcome.status, Status::not_converged);
}

// A fixed point of an easier problem on the path would move.
TEST_P(HardMulticlass, ArrivesAtAFixedPointOfTheProblemItself) {
  const Problem problem = GetParam();
  const Approximation q = problem.solve(problem.observations());
  const Approximation again =
      problem.solve(problem.observations(), impatient, Sites{q.site_tau, q.site_nu});
  EXPECT_EQ(again.outcome.status, Status::converged);
  EXPECT_LE(again.outcome.sweeps, 2);
  EXPECT_NEAR(again.log_evidence, q.log_evidence, 1e-10);
}

// Confusions are followed from none as one rate is.
TEST_P(HardMulticlass, ConfusedAlikeIsOneRate) {
  const Problem problem = GetParam();
  if (problem.classes == 2) GTEST_SKIP() << "no confusion of these";
  const auto others = static_cast<double>(problem.classes - 1);
  Matrix shares = Matrix::Constant(problem.classes, problem.classes, problem.rate / others);
  shares.diagonal().setConstant(1.0 - problem.rate);
  const Approximation one = problem.solve(problem.observations());
  const Approximation each = problem.solve(problem.observations().confused(shares));
  EXPECT_EQ(each.outcome.rung, Rung::continuation);
  EXPECT_NEAR(each.log_evidence, one.log_evidence, 1e-7);  // EP's tolerance, where it is nearly flat
}

// Two classes are the threshold likelihood of their contrast (f₁ - f₀)/√2: the binary engine, begun
// at these sites, has nothing to do.
TEST(HardCoupledEp, OfTwoClassesIsAFixedPointOfTheBinaryEngine) {
  const Problem problem{ClassForm::coupled, 2, 0.003, 2.0, 0};
  const Observations labels = problem.observations();
  const Approximation q = problem.solve(labels);
  const Observations binary{.y = 2.0 * labels.y.array() - 1.0};
  const auto from = [&](double sign) {
    return infer(Ep{}, problem.covariance(), Threshold{problem.rate, 1.0}, problem.X, binary,
                 Threads{1}, Sites{q.site_tau, sign * q.site_nu});
  };
  // Which of the two classes the contrast counts as above is not for this test to say.
  const Approximation plus = from(1.0), minus = from(-1.0);
  const Approximation& r = plus.outcome.sweeps < minus.outcome.sweeps ? plus : minus;
  EXPECT_LE(r.outcome.sweeps, 2);
  EXPECT_NEAR(r.log_evidence, q.log_evidence, 1e-8);
}

// The numbers of docs/math/multiclass.md.
TEST(HardMulticlassProblems, AreFewThatHaveNoFixedPoint) {
  int problems = 0, before = 0, after = 0;
  for (const ClassForm form : {ClassForm::coupled, ClassForm::factorised}) {
    for (const double variance : {100.0, 1000.0}) {
      for (const double rate : {0.003, 0.01, 0.03}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
          const Problem problem{form, 3, rate, 1.0, seed, variance};
          const Observations labels = problem.observations();
          const Approximation q = problem.solve(labels);
          ++problems;
          if (q.outcome.rung == Rung::continuation) ++before;
          if (q.outcome.status != Status::converged) ++after;
        }
      }
    }
  }
  before += after;
  std::cout << "without a fixed point: " << before << " of " << problems
            << " by the loop from the prior, " << after << " by continuation\n";
  EXPECT_GT(before, 0);
  EXPECT_LT(2 * after, before);
}

}  // namespace
}  // namespace candor
