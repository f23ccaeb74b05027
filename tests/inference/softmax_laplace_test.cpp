// SPDX-License-Identifier: MIT
// Softmax Laplace: its own equations by dense algebra, the binary engine, symmetries, hard input.
#include "softmax_problem.hpp"

#include <candor/inference/predict.hpp>
#include <candor/inference/softmax_evidence_gradient.hpp>
#include <candor/inference/softmax_predict.hpp>
#include <candor/likelihood/softmax.hpp>
#include <candor/likelihood/softmax_gaussian.hpp>
#include <candor/linalg/errors.hpp>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace candor {
namespace {

const Matrix X_test{{0.1, -0.4}, {1.3, 0.2}, {-0.9, 1.8}, {30.0, -40.0}};

Matrix one_hot(const SoftmaxProblem& p) {
  Matrix y = Matrix::Zero(p.X.rows(), p.classes);
  for (Index i = 0; i < y.rows(); ++i) y(i, p.labels[static_cast<std::size_t>(i)]) = 1.0;
  return y;
}

class SoftmaxLaplaceLaws : public testing::TestWithParam<SoftmaxProblem> {};

// Iterated until rounding: 1e-12 is a few digits above it.
TEST_P(SoftmaxLaplaceLaws, TheModeIsStationary) {
  const SoftmaxApproximation q = solve(GetParam());
  EXPECT_LT(q.outcome.residual, 1e-12);
  EXPECT_EQ(q.outcome.jitter, 0.0);
  const Matrix slope = one_hot(GetParam()) - q.probabilities;
  EXPECT_LT(difference(q.alpha, slope), 1e-12);
  EXPECT_LT(difference(stacked(q.mode), dense_prior(GetParam()) * stacked(slope)), 1e-11);
  EXPECT_LT(q.alpha.rowwise().sum().lpNorm<Eigen::Infinity>(), 1e-12);
}

// log|I + KW| by a dense LU factorisation, everything else from its definition.
double dense_evidence(const SoftmaxProblem& p, const SoftmaxApproximation& q) {
  const Matrix K = dense_prior(p), W = dense_curvature(q.probabilities);
  const Matrix B = Matrix::Identity(K.rows(), K.rows()) + K * W;
  double log_p = 0.0;
  for (Index i = 0; i < q.mode.rows(); ++i) {
    log_p += log_softmax(q.mode.row(i).transpose(), p.labels[static_cast<std::size_t>(i)]);
  }
  const double log_determinant = B.partialPivLu().matrixLU().diagonal().array().abs().log().sum();
  return log_p - 0.5 * stacked(q.alpha).dot(stacked(q.mode)) - 0.5 * log_determinant;
}

TEST_P(SoftmaxLaplaceLaws, TheEvidenceHoldsTheWholeDeterminant) {
  const SoftmaxApproximation q = solve(GetParam());
  EXPECT_LT(difference(q.log_evidence, dense_evidence(GetParam(), q)), 1e-11);
}

TEST(SoftmaxLaplaceMutants, ForgettingTheSumOfPrecisionsBreaksTheEvidence) {
  for (const SoftmaxProblem& p : softmax_zoo()) {
    const SoftmaxApproximation q = solve(p);
    const double forgotten = q.posterior.sum_factor().diagonal().array().log().sum();
    EXPECT_GT(difference(q.log_evidence + forgotten, dense_evidence(p, q)), 1e-3) << p;
  }
}

// Cov = k** - Q*ᵀ (K + W⁻¹)⁻¹ Q* with (K + W⁻¹)⁻¹ = W (I + K W)⁻¹ dense; noise is in no test row.
TEST_P(SoftmaxLaplaceLaws, PredictionsAgreeWithDenseAlgebra) {
  const SoftmaxProblem& p = GetParam();
  const SoftmaxApproximation q = solve(p);
  const SoftmaxPrediction test = predict(q, p.covariances, p.X, X_test);
  const Matrix K = dense_prior(p), W = dense_curvature(q.probabilities);
  const Matrix P = W * (Matrix::Identity(K.rows(), K.rows()) + K * W).inverse();
  const Index n = p.X.rows(), C = p.classes;
  for (Index t = 0; t < X_test.rows(); ++t) {
    Matrix Q = Matrix::Zero(n * C, C), prior = Matrix::Zero(C, C);
    for (Index c = 0; c < C; ++c) {
      const std::size_t which = p.covariances.size() == 1 ? 0 : static_cast<std::size_t>(c);
      p.covariances[which].evaluate({.X = p.X, .Z = X_test.row(t)}, Q.block(c * n, c, n, 1));
      prior(c, c) = p.covariances[which].diagonal(X_test.row(t), Rows::test)[0];
    }
    const Matrix Sigma = prior - Q.transpose() * P * Q;
    const Vector mean = Q.transpose() * stacked(q.alpha);
    EXPECT_LT(difference(test.latent_mean.row(t), mean.transpose()), 1e-12);
    // Digits lost to k(x, x), which is 1750 at the last row under the linear covariance.
    EXPECT_LT(difference(test.latent_covariance[static_cast<std::size_t>(t)], Sigma), 1e-10);
    const Vector probability = softmax_gaussian(mean, Sigma);
    EXPECT_LT(difference(test.probability.row(t), probability.transpose()), 1e-8);
  }
}

TEST_P(SoftmaxLaplaceLaws, FollowsAPermutationOfTheRows) {
  const SoftmaxProblem& p = GetParam();
  std::vector<Index> order(p.labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::rotate(order.begin(), order.begin() + 5, order.end());
  std::swap(order[0], order[3]);
  SoftmaxProblem moved = p;
  moved.X = p.X(order, Eigen::all);
  for (std::size_t i = 0; i < order.size(); ++i) {
    moved.labels[i] = p.labels[static_cast<std::size_t>(order[i])];
  }
  const SoftmaxApproximation a = solve(p), b = solve(moved);
  EXPECT_LT(difference(a.log_evidence, b.log_evidence), 1e-12);
  EXPECT_LT(difference(Matrix(a.mode(order, Eigen::all)), b.mode), 1e-11);
}

// Class c of one problem is class order[c] of the other.
TEST_P(SoftmaxLaplaceLaws, FollowsAPermutationOfTheClasses) {
  const SoftmaxProblem& p = GetParam();
  std::vector<int> order(static_cast<std::size_t>(p.classes));
  std::iota(order.begin(), order.end(), 0);
  std::rotate(order.begin(), order.begin() + 1, order.end());
  SoftmaxProblem moved = p;
  for (int& label : moved.labels) label = order[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < order.size() && p.covariances.size() > 1; ++c) {
    moved.covariances[static_cast<std::size_t>(order[c])] = p.covariances[c];
  }
  const SoftmaxApproximation a = solve(p), b = solve(moved);
  EXPECT_LT(difference(a.log_evidence, b.log_evidence), 1e-12);
  EXPECT_LT(difference(a.mode, Matrix(b.mode(Eigen::all, order))), 1e-11);
}

TEST_P(SoftmaxLaplaceLaws, EqualCovariancesAreASharedOne) {
  SoftmaxProblem p = GetParam();
  p.covariances = {p.covariances.front()};
  SoftmaxProblem repeated = p;
  repeated.covariances.assign(static_cast<std::size_t>(p.classes), p.covariances.front());
  const SoftmaxApproximation a = solve(p), b = solve(repeated);
  EXPECT_EQ(a.log_evidence, b.log_evidence);
  EXPECT_EQ(a.mode, b.mode);
}

TEST_P(SoftmaxLaplaceLaws, AWarmStartLeadsToTheSameMode) {
  const SoftmaxProblem& p = GetParam();
  const SoftmaxApproximation cold = solve(p);
  const SoftmaxApproximation warm =
      infer(tight, p.covariances, p.X, p.labels, p.classes, {1}, cold.mode);
  EXPECT_LE(warm.outcome.sweeps, 2);
  EXPECT_LT(difference(warm.mode, cold.mode), 1e-12);
  const Matrix far = Matrix::Constant(p.X.rows(), p.classes, -30.0);
  const SoftmaxApproximation misled =
      infer(tight, p.covariances, p.X, p.labels, p.classes, {1}, 5.0 * cold.mode + far);
  EXPECT_LT(difference(misled.mode, cold.mode), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Zoo, SoftmaxLaplaceLaws, testing::ValuesIn(softmax_zoo()));

// Softmax of two latent values is logistic in f₁ - f₀, whose prior covariance is K₀ + K₁.
TEST(SoftmaxLaplace, OfTwoClassesIsTheBinaryEngineOnTheDifference) {
  for (SoftmaxProblem p : {sectors(14, 2, 5), with_own_covariances(sectors(20, 2, 6))}) {
    const Covariance sum = p.covariances.front() + p.covariances.back();
    Vector y(p.X.rows());
    for (Index i = 0; i < y.size(); ++i) y[i] = 2.0 * p.labels[static_cast<std::size_t>(i)] - 1.0;
    const Approximation binary = infer(Laplace{.tolerance = 1e-13}, sum, Logistic{}, p.X, {.y = y});
    const SoftmaxApproximation q = solve(p);
    EXPECT_NEAR(q.log_evidence, binary.log_evidence, 1e-10);
    EXPECT_LT(difference(q.mode.col(1) - q.mode.col(0), binary.latent_mean), 1e-10);
    const SoftmaxPrediction test = predict(q, p.covariances, p.X, X_test);
    const Prediction binary_test = predict(binary, sum, Logistic{}, p.X, X_test);
    EXPECT_LT(difference(test.probability.col(1), binary_test.p_observed), 1e-9);
  }
}

TEST(SoftmaxLaplace, DoesNotDependOnTheNumberOfThreads) {
  const SoftmaxProblem p = sectors(400, 3, 2);  // several blocks
  const SoftmaxApproximation one = solve(p, {1}), three = solve(p, {3});
  EXPECT_EQ(one.log_evidence, three.log_evidence);
  EXPECT_EQ(one.mode, three.mode);
  EXPECT_EQ(softmax_evidence_gradient(one, p.covariances, p.X).front(),
            softmax_evidence_gradient(three, p.covariances, p.X).front());
}

// A class that nobody has keeps its prior but for what the others' labels take from it.
TEST(SoftmaxLaplace, GivesAClassWithoutRowsLittleButNotNothing) {
  const SoftmaxProblem p = with_an_empty_class(sectors(40, 3, 4));
  const SoftmaxApproximation q = solve(p);
  EXPECT_LT(q.probabilities.col(3).maxCoeff(), 0.25);
  EXPECT_LT(q.mode.col(3).maxCoeff(), 0.0);
  EXPECT_GT(predict(q, p.covariances, p.X, X_test).probability.col(3).minCoeff(), 1e-3);
}

TEST(SoftmaxLaplace, FarFromAllRowsTheClassesAreEquallyProbable) {
  SoftmaxProblem p = sectors(20, 3, 4);
  p.covariances = {2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(1)})};
  const Matrix far{{1e3, 1e3}};
  const Matrix probability = predict(solve(p), p.covariances, p.X, far).probability;
  EXPECT_LT(difference(probability, Matrix::Constant(1, 3, 1.0 / 3.0)), 1e-8);
}

// Legal but awkward: an answer whose own equations hold, and no NaN.
struct Awkward {
  double variance, lengthscale;
  double tolerance;  // on α = y - π: what rounding in K of this size leaves
};
class SoftmaxLaplaceHardInput : public testing::TestWithParam<Awkward> {};

TEST_P(SoftmaxLaplaceHardInput, ConvergesOnSeparableData) {
  const auto [variance, lengthscale, tolerance] = GetParam();
  SoftmaxProblem p = sectors(30, 3, 12);
  for (Index i = 0; i < 30; ++i)
    p.labels[static_cast<std::size_t>(i)] = p.X(i, 0) < -0.4 ? 0 : p.X(i, 0) < 0.4 ? 1 : 2;
  p.X.row(3) = p.X.row(4);  // equal rows
  p.labels[3] = p.labels[4];
  p.covariances = {variance *
                   Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, lengthscale)})};
  const SoftmaxApproximation q = infer(SoftmaxLaplace{}, p.covariances, p.X, p.labels, p.classes);
  EXPECT_EQ(q.outcome.status, Status::converged) << q.outcome.residual;
  EXPECT_TRUE(std::isfinite(q.log_evidence) && q.log_evidence < 0.0) << q.log_evidence;
  EXPECT_LT(difference(q.alpha, one_hot(p) - q.probabilities), tolerance);
  const Matrix probability = predict(q, p.covariances, p.X, X_test).probability;
  EXPECT_TRUE(probability.allFinite());
  EXPECT_TRUE(softmax_evidence_gradient(q, p.covariances, p.X).front().allFinite());
}

INSTANTIATE_TEST_SUITE_P(Sizes, SoftmaxLaplaceHardInput,
                         testing::Values(Awkward{1e-8, 1.0, 1e-6}, Awkward{1.0, 1e-3, 1e-9},
                                         Awkward{1.0, 1e4, 1e-9}, Awkward{100.0, 1.0, 1e-9},
                                         Awkward{1e4, 1.0, 1e-8}, Awkward{1e4, 1e3, 1e-8},
                                         Awkward{1e6, 0.5, 1e-8}));

// Every row by itself: independent rows under a tiny lengthscale, evidence n log Z₁.
TEST(SoftmaxLaplace, OfDistantRowsIsTheProductOfSingleRows) {
  SoftmaxProblem p = sectors(9, 3, 2);
  p.covariances = {2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 1e-6)})};
  SoftmaxProblem single = p;
  single.X = p.X.topRows(1);
  single.labels = {0};
  EXPECT_NEAR(solve(p).log_evidence, 9.0 * solve(single).log_evidence, 1e-12);
}

TEST(SoftmaxLaplace, SaysWhenItStoppedEarly) {
  const SoftmaxProblem p = sectors(20, 3, 1);
  const SoftmaxApproximation q =
      infer(SoftmaxLaplace{.max_iterations = 1}, p.covariances, p.X, p.labels, p.classes);
  EXPECT_EQ(q.outcome.status, Status::not_converged);
  EXPECT_EQ(q.outcome.sweeps, 1);
  EXPECT_GT(q.outcome.residual, 1e-10);
  EXPECT_TRUE(std::isfinite(q.log_evidence));
}

struct SoftmaxMistake {
  std::string message;
  std::function<void(SoftmaxProblem&, SoftmaxLaplace&)> commit;
};

TEST(SoftmaxLaplace, RefusesMistakesInOneSentence) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<SoftmaxMistake> mistakes{
      {"label of row 3 is 3: it must be at least 0 and less than the number of classes, 3",
       [](auto& p, auto&) { p.labels[3] = 3; }},
      {"label of row 0 is -1: it must be at least 0 and less than the number of classes, 3",
       [](auto& p, auto&) { p.labels[0] = -1; }},
      {"rows of X has size 10 and labels has size 9: they must have the same size",
       [](auto& p, auto&) { p.labels.pop_back(); }},
      {"classes is 1: it must be at least 2",
       [](auto& p, auto&) {
         p.classes = 1;
         std::fill(p.labels.begin(), p.labels.end(), 0);
       }},
      {"covariances has size 2: it must be 1, or the number of classes, which is 3",
       [](auto& p, auto&) { p.covariances.push_back(p.covariances.front()); }},
      {"covariances has size 0: it must be 1, or the number of classes, which is 3",
       [](auto& p, auto&) { p.covariances.clear(); }},
      {"X(2, 1) is inf: it must be finite, or NaN where it is not known",
       [](auto& p, auto&) { p.X(2, 1) = infinity; }},
      {"X has 0 rows: it must have at least 1",
       [](auto& p, auto&) {
         p.X.resize(0, 2);
         p.labels.clear();
       }},
      {"tolerance is 0: it must be finite and greater than 0",
       [](auto&, auto& engine) { engine.tolerance = 0.0; }},
      {"max_iterations is 0: it must be finite and greater than 0",
       [](auto&, auto& engine) { engine.max_iterations = 0; }}};
  for (const SoftmaxMistake& mistake : mistakes) {
    SoftmaxProblem p = sectors(10, 3, 1);
    SoftmaxLaplace engine;
    mistake.commit(p, engine);
    try {
      static_cast<void>(infer(engine, p.covariances, p.X, p.labels, p.classes));
      ADD_FAILURE() << "not refused: " << mistake.message;
    } catch (const InvalidInput& refusal) {
      EXPECT_EQ(refusal.what(), mistake.message);
    }
  }
}

TEST(SoftmaxLaplace, RefusesTestRowsAndStartsOfAnotherShape) {
  const SoftmaxProblem p = sectors(10, 3, 1);
  const SoftmaxApproximation q = solve(p);
  EXPECT_THROW(static_cast<void>(predict(q, p.covariances, p.X, Matrix::Zero(2, 3))), InvalidInput);
  EXPECT_THROW(static_cast<void>(predict(q, {}, p.X, X_test)), InvalidInput);
  EXPECT_THROW(static_cast<void>(softmax_evidence_gradient(q, {}, p.X)), InvalidInput);
  EXPECT_THROW(static_cast<void>(softmax_evidence_gradient(q, p.covariances, p.X.topRows(3))),
               InvalidInput);
  EXPECT_THROW(static_cast<void>(
                   infer(tight, p.covariances, p.X, p.labels, 3, {1}, Matrix(Matrix::Zero(10, 2)))),
               InvalidInput);
}

}  // namespace
}  // namespace candor
