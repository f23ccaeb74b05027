// SPDX-License-Identifier: MIT
// Split R̂ and effective sample size on series whose answers are known.
#include <candor/inference/chain_diagnostics.hpp>
#include <candor/linalg/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace candor {
namespace {

constexpr Index draws = 4000, chains = 4;

Matrix independent(std::uint64_t seed) { return Random(seed).normals(draws, chains); }

// x_t = ρ x_{t-1} + √(1 - ρ²) e_t: N(0, 1), worth (1 - ρ)/(1 + ρ) of its draws.
Matrix autoregressive(double rho, std::uint64_t seed) {
  Matrix x = independent(seed);
  for (Index t = 1; t < draws; ++t) {
    x.row(t) = rho * x.row(t - 1) + std::sqrt(1.0 - rho * rho) * x.row(t);
  }
  return x;
}

TEST(ChainDiagnostics, OfIndependentDrawsCountThemAll) {
  const ChainSummary s = summary_of(independent(1));
  EXPECT_NEAR(s.r_hat, 1.0, 2e-3);  // 1 + O(1/draws)
  // The estimate's own noise at 16 000 draws is a few per cent.
  EXPECT_NEAR(s.effective / (draws * chains), 1.0, 0.1);
  EXPECT_NEAR(s.standard_error * std::sqrt(draws * chains), 1.0, 0.1);
  EXPECT_LT(std::abs(s.mean), 4.0 * s.standard_error);
  EXPECT_NEAR(s.variance, 1.0, 4.0 * std::sqrt(2.0 / (draws * chains)));
}

TEST(ChainDiagnostics, CountCorrelatedDrawsForWhatTheyAreWorth) {
  for (const double rho : {0.5, 0.9, 0.97}) {
    const ChainSummary s = summary_of(autoregressive(rho, 2));
    const double worth = draws * chains * (1.0 - rho) / (1.0 + rho);
    // Sums of estimated autocorrelations: a fifth is what 120 effective draws per half chain allow.
    EXPECT_NEAR(s.effective / worth, 1.0, 0.2) << rho;
    EXPECT_NEAR(s.standard_error * std::sqrt(worth), 1.0, 0.2) << rho;
  }
}

TEST(ChainDiagnostics, SeeChainsThatDisagree) {
  Matrix shifted = independent(3);
  shifted.col(2).array() += 1.5;
  const ChainSummary apart = summary_of(shifted);
  EXPECT_GT(apart.r_hat, 1.1);
  EXPECT_LT(apart.effective, 200.0);
  Matrix drifting = independent(4);  // in the same way, so that only halves differ
  drifting.colwise() += Vector::LinSpaced(draws, -1.0, 1.0);
  EXPECT_GT(summary_of(drifting).r_hat, 1.05);
  Matrix wider = independent(5);  // of the same mean: only |x - median| differs
  wider.col(1) *= 3.0;
  EXPECT_GT(summary_of(wider).r_hat, 1.05);
}

TEST(ChainDiagnostics, DoNotMindMonotoneTransformations) {
  const Matrix x = autoregressive(0.8, 6);
  const ChainSummary plain = summary_of(x), cubed = summary_of(x.array().cube());
  EXPECT_EQ(plain.effective, cubed.effective);
  // Means of a Cauchy-like series exist no more, its ranks do.
  const ChainSummary heavy = summary_of(x.array().tan());
  EXPECT_LT(heavy.r_hat, 1.02);
}

// Chains that never moved know nothing, though they agree; a probability of 0 may well be constant.
TEST(ChainDiagnostics, OfChainsThatNeverMovedAreInfinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Matrix same = Matrix::Constant(10, 2, 0.3);  // whose mean is rounded
  Matrix different = same;
  different.col(1).setOnes();
  for (const Matrix& constant : {same, different}) {
    const ChainSummary stuck = summary_of(constant);
    EXPECT_EQ(stuck.r_hat, infinity);
    EXPECT_EQ(stuck.effective, 0.0);
    EXPECT_EQ(stuck.standard_error, infinity);
  }
  EXPECT_EQ(standard_error_of(Matrix::Zero(10, 2)), 0.0);
  Matrix one_moves = same;
  one_moves(3, 0) = 0.5;
  EXPECT_GT(summary_of(one_moves).effective, 0.0);
}

}  // namespace
}  // namespace candor
