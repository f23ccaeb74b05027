// SPDX-License-Identifier: MIT
#include "zoo.hpp"

#include "tests/covariance/missing_alternatives.hpp"

#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <set>

namespace candor {
namespace {

using testing_support::missing_alternatives;

TEST(InferenceZoo, HoldsEveryEngine) {
  std::set<std::size_t> seen;
  for (const Setting& setting : zoo()) seen.insert(setting.engine.index());
  EXPECT_EQ(missing_alternatives<Inference>(seen), std::vector<std::string>{})
      << "not in tight_engines()";
}

TEST(InferenceZoo, HoldsEveryLikelihood) {
  std::set<std::size_t> seen;
  for (const Setting& setting : zoo()) seen.insert(setting.likelihood.index());
  EXPECT_EQ(missing_alternatives<Likelihood>(seen), std::vector<std::string>{})
      << "not in zoo_likelihoods()";
}

TEST(InferenceZoo, IsFoundIncompleteWithoutItsFirstEngine) {
  EXPECT_EQ(missing_alternatives<Inference>({1, 2, 3}), std::vector<std::string>{"ep"});
}

TEST(InferenceZoo, ConvergesEverywhereAndSaysSo) {
  for (const Setting& setting : zoo()) {
    const Approximation q = solve(setting);
    EXPECT_EQ(q.outcome.status, Status::converged) << setting;
    EXPECT_EQ(q.outcome.skipped_sites, 0) << setting;
    EXPECT_EQ(q.outcome.negative_sites, (q.site_tau.array() < 0.0).count()) << setting;
  }
}

TEST(InferenceZoo, HasNegativeSites) {
  bool seen = false;
  for (const Setting& setting : ep_zoo()) seen |= solve(setting).outcome.negative_sites > 0;
  EXPECT_TRUE(seen);
}

TEST(InferenceZoo, RefusesPairsThatItLeavesOut) {
  const Table table = zoo_tables().front();
  for (const Inference& engine : tight_engines()) {
    for (const Likelihood& likelihood : zoo_likelihoods()) {
      if (takes(engine, likelihood)) continue;
      EXPECT_THROW(static_cast<void>(infer(engine, SquaredExponential{}, likelihood, table.X,
                                           table.observations)),
                   InvalidInput);
    }
  }
}

}  // namespace
}  // namespace candor
