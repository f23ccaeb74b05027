// SPDX-License-Identifier: MIT
// The gradient of the softmax Laplace evidence against differences of it.
#include "differences.hpp"
#include "softmax_problem.hpp"

#include <candor/inference/softmax_evidence_gradient.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

constexpr double tolerance = 1e-7;

std::vector<Vector> differences(const SoftmaxProblem& p) {
  std::vector<Vector> result;
  for (std::size_t g = 0; g < p.covariances.size(); ++g) {
    const Vector theta = log_parameters(p.covariances[g]);
    Vector slope(theta.size());
    for (Index k = 0; k < theta.size(); ++k) {
      slope[k] = derivative([&](double step) {
        SoftmaxProblem moved = p;
        const Vector shifted = theta + step * Vector::Unit(theta.size(), k);
        moved.covariances[g] = with_log_parameters(p.covariances[g], shifted);
        return solve(moved).log_evidence;
      });
    }
    result.push_back(slope);
  }
  return result;
}

double largest_difference(const std::vector<Vector>& a, const std::vector<Vector>& b) {
  double largest = a.size() == b.size() ? 0.0 : std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < std::min(a.size(), b.size()); ++g) {
    largest = std::max(largest, difference(a[g], b[g]));
  }
  return largest;
}

class SoftmaxGradientLaws : public testing::TestWithParam<SoftmaxProblem> {};

TEST_P(SoftmaxGradientLaws, AgreesWithDifferences) {
  const SoftmaxProblem& p = GetParam();
  const auto gradient = softmax_evidence_gradient(solve(p), p.covariances, p.X);
  EXPECT_LT(largest_difference(gradient, differences(p)), tolerance);
}

TEST_P(SoftmaxGradientLaws, AWrongAlphaBreaksIt) {
  const SoftmaxProblem& p = GetParam();
  SoftmaxApproximation q = solve(p);
  q.alpha *= 1.001;
  const auto gradient = softmax_evidence_gradient(q, p.covariances, p.X);
  EXPECT_GT(largest_difference(gradient, differences(p)), 10 * tolerance);
}

INSTANTIATE_TEST_SUITE_P(Zoo, SoftmaxGradientLaws, testing::ValuesIn(softmax_zoo()));

// Several tiles of K̄ and strips of columns, with two threads.
TEST(SoftmaxGradient, AgreesWithDifferencesAcrossBlocks) {
  SoftmaxProblem p = sectors(300, 3, 21);
  p.covariances = {2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.7)})};
  const auto gradient = softmax_evidence_gradient(solve(p, {2}), p.covariances, p.X);
  EXPECT_LT(largest_difference(gradient, differences(p)), tolerance);
}

// The gradient of one shared covariance is the sum of those of equal ones.
TEST(SoftmaxGradient, OfASharedCovarianceIsTheSumOverClasses) {
  const SoftmaxProblem p = sectors(25, 4, 3);
  SoftmaxProblem repeated = p;
  repeated.covariances.assign(4, p.covariances.front());
  const auto shared = softmax_evidence_gradient(solve(p), p.covariances, p.X);
  Vector sum = Vector::Zero(shared.front().size());
  for (const Vector& g : softmax_evidence_gradient(solve(repeated), repeated.covariances, p.X)) {
    sum += g;
  }
  EXPECT_LT(difference(shared.front(), sum), 1e-12);
}

// A scale of all covariances is a scale of the latent function: with v → 0 nothing is learned and
// log Z → -n log C, so that the gradient vanishes with v.
TEST(SoftmaxGradient, VanishesWithThePrior) {
  SoftmaxProblem p = sectors(12, 3, 3);
  p.covariances = {1e-9 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(1)})};
  const SoftmaxApproximation q = solve(p);
  EXPECT_NEAR(q.log_evidence, -12.0 * std::log(3.0), 1e-7);
  EXPECT_LT(softmax_evidence_gradient(q, p.covariances, p.X).front().lpNorm<Eigen::Infinity>(),
            1e-7);
}

}  // namespace
}  // namespace candor
