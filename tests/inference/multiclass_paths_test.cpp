// SPDX-License-Identifier: MIT
// How often EP for many classes finds a fixed point by continuation: the numbers of
// docs/math/multiclass.md.
#include "hard_multiclass.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace candor {
namespace {

TEST(HardMulticlassProblems, AreFewThatHaveNoFixedPoint) {
  int problems = 0, before = 0, after = 0;
  for (const ClassForm form : {ClassForm::coupled, ClassForm::factorised}) {
    for (const double variance : {100.0, 1000.0}) {
      for (const double rate : {0.003, 0.01, 0.03}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
          const HardProblem problem{form, 3, rate, 1.0, seed, variance};
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
