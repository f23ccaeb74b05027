// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <candor/model/kept_posteriors.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

using namespace testing_tables;

class KeptPosteriorsOf : public testing::TestWithParam<Multiclass> {
 protected:
  static Classifier fitted() {
    FitOptions options = quick();
    options.multiclass = GetParam();
    return fit_table(table_of(three_classes(30)), options);
  }
};
INSTANTIATE_TEST_SUITE_P(Questions, KeptPosteriorsOf,
                         testing::Values(Multiclass::joint, Multiclass::one_vs_rest));

TEST_P(KeptPosteriorsOf, PredictWhatRebuiltOnesDoToTheLastBit) {
  const Classifier c = fitted();
  const ClassProbabilities expected = predict(c, c.X, Threads{1});
  KeptPosteriors kept(c);
  for (const int threads : {1, 1, 2}) {
    const ClassProbabilities p = predict(c, c.X, Threads{threads}, &kept);
    EXPECT_EQ(p.clean, expected.clean);
    EXPECT_EQ(p.observed, expected.observed);
    const LatentMoments latent = predict_latent(c, c.X, Threads{threads}, &kept);
    EXPECT_EQ(latent.variance, expected.latent_variance);
  }
}

TEST_P(KeptPosteriorsOf, AreRebuiltOnceWhereThereIsRoom) {
  const Classifier c = fitted();
  const Process& process = c.questions[0].processes[0];
  KeptPosteriors kept(c);
  const auto first = kept.of(process, Threads{1});
  EXPECT_EQ(kept.of(process, Threads{1}), first);
  EXPECT_NE(kept.of(process, Threads{2}), first) << "its threads are part of a posterior";
  KeptPosteriors none(c, 1000.0);
  const auto again = none.of(process, Threads{1});
  EXPECT_NE(none.of(process, Threads{1}), again);
  EXPECT_EQ(again->alpha, first->alpha);
}

}  // namespace
}  // namespace candor
