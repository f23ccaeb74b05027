// SPDX-License-Identifier: MIT
// EP for many classes where its loop from the prior runs in circles.
#include "hard_multiclass.hpp"

#include <gtest/gtest.h>

namespace candor {
namespace {

// Without the rungs above the loop from the prior.
constexpr Ep impatient{.max_sequential_sweeps = 0, .max_root_finder_rows = 0};

class HardMulticlass : public testing::TestWithParam<HardProblem> {};
INSTANTIATE_TEST_SUITE_P(Seeds, HardMulticlass,
                         testing::Values(HardProblem{ClassForm::coupled, 2, 0.003, 2.0, 0},
                                         HardProblem{ClassForm::coupled, 3, 0.003, 1.0, 6},
                                         HardProblem{ClassForm::coupled, 3, 0.01, 1.0, 1},
                                         HardProblem{ClassForm::coupled, 3, 0.03, 2.0, 8},
                                         HardProblem{ClassForm::factorised, 2, 0.003, 2.0, 7},
                                         // by the path from more noise
                                         HardProblem{ClassForm::coupled, 3, 0.03, 1.0, 0, 1000.0},
                                         HardProblem{ClassForm::factorised, 3, 0.01, 1.0, 9,
                                                     1000.0}));

TEST_P(HardMulticlass, ConvergesByContinuation) {
  const HardProblem problem = GetParam();
  const Approximation q = problem.solve(problem.observations());
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_EQ(q.outcome.rung, Rung::continuation);
}

// What the test above would not notice if the loop did it all.
TEST_P(HardMulticlass, DoesNotConvergeWithout) {
  const HardProblem problem = GetParam();
  const Approximation q = problem.solve(problem.observations(), impatient);
  EXPECT_EQ(q.outcome.status, Status::not_converged);
}

// A fixed point of an easier problem on the path would move.
TEST_P(HardMulticlass, ArrivesAtAFixedPointOfTheProblemItself) {
  const HardProblem problem = GetParam();
  const Approximation q = problem.solve(problem.observations());
  const Approximation again =
      problem.solve(problem.observations(), impatient, Sites{q.site_tau, q.site_nu});
  EXPECT_EQ(again.outcome.status, Status::converged);
  EXPECT_LE(again.outcome.sweeps, 2);                      // at the prior, and at the sites
  EXPECT_NEAR(again.log_evidence, q.log_evidence, 1e-10);  // the same sites, factored again
}

// Confusions are followed from none as one rate is.
TEST_P(HardMulticlass, ConfusedAlikeIsOneRate) {
  const HardProblem problem = GetParam();
  if (problem.classes == 2) GTEST_SKIP() << "no confusion of these";
  const auto others = static_cast<double>(problem.classes - 1);
  Matrix shares = Matrix::Constant(problem.classes, problem.classes, problem.rate / others);
  shares.diagonal().setConstant(1.0 - problem.rate);
  const Approximation one = problem.solve(problem.observations());
  const Approximation each = problem.solve(problem.observations().confused(shares));
  EXPECT_EQ(each.outcome.rung, Rung::continuation);
  EXPECT_NEAR(each.log_evidence, one.log_evidence,
              1e-7);  // EP's tolerance, where it is nearly flat
}

// So are rates that are known.
TEST_P(HardMulticlass, AKnownRateOfAllRowsIsOneRate) {
  HardProblem problem = GetParam();
  const Approximation one = problem.solve(problem.observations());
  Observations known = problem.observations();
  known.known_flip_rate = Vector::Constant(known.size(), problem.rate);
  problem.rate = 0.0;
  const Approximation each = problem.solve(known);
  EXPECT_EQ(each.outcome.rung, Rung::continuation);
  EXPECT_NEAR(each.log_evidence, one.log_evidence, 1e-10);  // the same steps, up to rounding
}

// Forty rows are twice (C - 1) 40, or ∛C 40, for the limit.
TEST_P(HardMulticlass, IsLeftAloneWhereItIsTooLargeForContinuation) {
  const HardProblem problem = GetParam();
  const auto C = static_cast<double>(problem.classes);
  const double size =
      2.0 * (problem.form == ClassForm::coupled ? 40.0 * (C - 1.0) : 40.0 * std::cbrt(C));
  const auto below = static_cast<Index>(std::ceil(size)) - 1;
  const Approximation left = problem.solve(problem.observations(), {.max_root_finder_rows = below});
  EXPECT_EQ(left.outcome.status, Status::not_converged);
  const Approximation taken =
      problem.solve(problem.observations(), {.max_root_finder_rows = below + 1});
  EXPECT_EQ(taken.outcome.status, Status::converged);
}

// Two classes are the threshold likelihood of their contrast (f₁ - f₀)/√2: the binary engine, begun
// at these sites, has nothing to do.
TEST(HardCoupledEp, OfTwoClassesIsAFixedPointOfTheBinaryEngine) {
  const HardProblem problem{ClassForm::coupled, 2, 0.003, 2.0, 0};
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
  EXPECT_EQ(r.outcome.status, Status::converged);
  EXPECT_LE(r.outcome.sweeps, 2);
  EXPECT_NEAR(r.log_evidence, q.log_evidence, 1e-8);  // EP's tolerance
}

}  // namespace
}  // namespace candor
