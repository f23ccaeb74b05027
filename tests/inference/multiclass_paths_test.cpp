// SPDX-License-Identifier: MIT
// How often EP for many classes finds a fixed point by continuation: the numbers of
// docs/math/multiclass.md.
#include "hard_multiclass.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace candor {
namespace {

TEST(HardMulticlassProblems, AreMostlySolvedByContinuationWhereTheLoopFails) {
  int problems = 0, by_continuation = 0, by_none = 0;
  for (const ClassForm form : {ClassForm::coupled, ClassForm::factorised}) {
    for (const double variance : {100.0, 1000.0}) {
      for (const double rate : {0.003, 0.01, 0.03}) {
        for (unsigned seed = 0; seed < 20; ++seed) {
          const HardProblem problem{form, 3, rate, 1.0, seed, variance};
          const Observations labels = problem.observations();
          const Approximation q = problem.solve(labels);
          ++problems;
          if (q.outcome.rung == Rung::continuation) ++by_continuation;
          if (q.outcome.status != Status::converged) ++by_none;
        }
      }
    }
  }
  std::cout << "of " << problems << " problems the loop from the prior leaves "
            << by_continuation + by_none << " without a fixed point, and continuation " << by_none
            << "\n";
  EXPECT_GT(by_continuation, 20);           // enough to tell
  EXPECT_LT(2 * by_none, by_continuation);  // two thirds of those that the loop leaves are found
}

}  // namespace
}  // namespace candor
