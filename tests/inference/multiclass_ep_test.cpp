// SPDX-License-Identifier: MIT
// EP for many classes: where it is exact, its fixed-point equations, its gradient, and the two
// classes that another engine knows.
#include "differences.hpp"
#include "zoo.hpp"

#include <candor/covariance/gram.hpp>
#include <candor/covariance/log_parameters.hpp>
#include <candor/inference/class_loo.hpp>
#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/multiclass_ep.hpp>
#include <candor/inference/predict.hpp>
#include <candor/inference/predict_classes.hpp>
#include <candor/linalg/errors.hpp>

#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>
#include <random>

namespace candor {
namespace {

constexpr Ep tight{.tolerance = 1e-11};

struct Problem {
  ClassForm form;
  Index classes;
  double rate;
  Covariance covariance = 4.0 * Covariance(SquaredExponential{.lengthscale = Vector{{1.3}}});
  Matrix X = random_matrix(18, 2, 7);

  // Regions of the plane, every seventh label another class.
  [[nodiscard]] Observations observations() const {
    Observations all{.y = Vector(X.rows()), .classes = classes};
    for (Index i = 0; i < X.rows(); ++i) {
      const double turn = std::atan2(X(i, 1), X(i, 0)) / (2.0 * std::numbers::pi) + 0.5;
      const auto region = static_cast<Index>(turn * static_cast<double>(classes));
      all.y[i] = static_cast<double>((region + (i % 7 == 0 ? 1 : 0)) % classes);
    }
    return all;
  }
  [[nodiscard]] RobustMax likelihood() const { return {rate, 1.0, classes}; }
  [[nodiscard]] Approximation solve(const Observations& labels) const {
    return multiclass_ep(tight, likelihood(), labels,
                         class_posterior(form, classes, {covariance}, X, Threads{}));
  }
  [[nodiscard]] Approximation solve() const { return solve(observations()); }
};

std::ostream& operator<<(std::ostream& out, const Problem& p) {
  return out << name_of(p.form) << " " << p.classes << " " << p.rate;
}

std::vector<Problem> problems() {
  return {{ClassForm::coupled, 2, 0.0},     {ClassForm::coupled, 2, 0.1},
          {ClassForm::coupled, 3, 0.0},     {ClassForm::coupled, 3, 0.1},
          {ClassForm::factorised, 3, 0.0},  {ClassForm::factorised, 3, 0.1},
          {ClassForm::factorised, 6, 0.05}, {ClassForm::factorised, 2, 0.1}};
}

class MulticlassEp : public testing::TestWithParam<Problem> {};
INSTANTIATE_TEST_SUITE_P(Forms, MulticlassEp, testing::ValuesIn(problems()));

TEST_P(MulticlassEp, Converges) {
  const Approximation q = GetParam().solve();
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_LE(q.outcome.residual, tight.tolerance);
}

TEST_P(MulticlassEp, IsExactForOneRow) {
  Problem problem = GetParam();
  problem.X = problem.X.topRows(1).eval();
  const Approximation q = problem.solve();
  // Before the data all classes are alike.
  const double expected = -std::log(static_cast<double>(problem.classes));
  EXPECT_NEAR(q.log_evidence, expected, 1e-10);  // that of the integral over the other classes
  EXPECT_NEAR(q.p_wrong[0], problem.rate, 1e-10);
}

constexpr double tolerance = 1e-6;  // of a gradient, by differences

void expect_covariance_gradient(const Problem& problem, const Observations& labels,
                                const Approximation& q) {
  const Vector gradient = covariance_gradient(q, {problem.covariance}, problem.X);
  const Vector theta = log_parameters(problem.covariance);
  for (Index p = 0; p < theta.size(); ++p) {
    const double expected = derivative([&](double step) {
      Problem moved = problem;
      Vector shifted = theta;
      shifted[p] += step;
      moved.covariance = with_log_parameters(problem.covariance, shifted);
      return moved.solve(labels).log_evidence;
    });
    EXPECT_NEAR(gradient[p], expected, tolerance * (1.0 + std::abs(expected)));
  }
}

// Of everything that is learned.
TEST_P(MulticlassEp, EvidenceGradientAgreesWithDifferences) {
  const Problem problem = GetParam();
  const Approximation q = problem.solve();
  expect_covariance_gradient(problem, problem.observations(), q);
  const double by_noise = derivative([&](double step) {
    RobustMax likelihood = problem.likelihood();
    likelihood.noise_variance *= std::exp(step);
    return multiclass_ep(tight, likelihood, problem.observations(),
                         class_posterior(problem.form, problem.classes, {problem.covariance},
                                         problem.X, Threads{}))
        .log_evidence;
  });
  EXPECT_NEAR(q.likelihood_gradient[1], by_noise, tolerance * (1.0 + std::abs(by_noise)));
  if (problem.rate == 0.0) return;  // the difference would need a negative rate
  const double by_rate = derivative([&](double step) {
    Problem moved = problem;
    moved.rate += step;
    return moved.solve().log_evidence;
  });
  EXPECT_NEAR(q.likelihood_gradient[0], by_rate, tolerance * (1.0 + std::abs(by_rate)));
}

TEST_P(MulticlassEp, EvidenceGradientAgreesWhereCellsAreNotKnown) {
  Problem problem = GetParam();
  const Observations labels = problem.observations();
  problem.X(2, 0) = problem.X(5, 1) = problem.X(7, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_covariance_gradient(problem, labels, problem.solve(labels));
}

TEST_P(MulticlassEp, DoesNotCareWhatClassesAreCalled) {
  const Problem problem = GetParam();
  Observations renamed = problem.observations();
  for (double& y : renamed.y) y = std::fmod(y + 1.0, static_cast<double>(problem.classes));
  const Approximation q = problem.solve(), r = problem.solve(renamed);
  EXPECT_NEAR(q.log_evidence, r.log_evidence, 1e-9);
  EXPECT_LT((q.p_wrong - r.p_wrong).lpNorm<Eigen::Infinity>(), 1e-9);
  const Matrix before = p_class_loo(q, problem.likelihood());
  const Matrix after = p_class_loo(r, problem.likelihood());
  for (Index c = 0; c < problem.classes; ++c) {
    const Vector there = after.col((c + 1) % problem.classes);
    EXPECT_LT((before.col(c) - there).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

// ∂ log Z/∂ε = 0 is mean p_wrong = ε for any number of classes.
TEST_P(MulticlassEp, RateGradientIsWhatIsLeftOfTheMeanPWrong) {
  const Problem problem = GetParam();
  if (problem.rate == 0.0) GTEST_SKIP() << "there is no rate";
  const Approximation q = problem.solve();
  const double e = problem.rate;
  const double n = static_cast<double>(problem.X.rows());
  EXPECT_NEAR(q.likelihood_gradient[0] * e * (1.0 - e), q.p_wrong.sum() - n * e, 1e-9);
}

TEST_P(MulticlassEp, TrustedRowsAreNotWrong) {
  const Problem problem = GetParam();
  Observations labels = problem.observations();
  labels.known_flip_rate = Vector::Constant(labels.size(), rate_not_known);
  labels.known_flip_rate[0] = 0.0;
  const Approximation q = problem.solve(labels);
  EXPECT_EQ(q.p_wrong[0], 0.0);
  EXPECT_EQ(q.outcome.status, Status::converged);
}

// Copies of a row share their site, as they do at a fixed point without weights.
TEST_P(MulticlassEp, AWeightOfTwoIsTheRowTwice) {
  Problem problem = GetParam();
  Observations weighted = problem.observations();
  weighted.weight = Vector::Ones(weighted.size());
  weighted.weight[4] = 2.0;
  const Approximation q = problem.solve(weighted);
  const Index n = problem.X.rows();
  Observations twice = problem.observations();
  twice.y.conservativeResize(n + 1);
  twice.y[n] = twice.y[4];
  problem.X.conservativeResize(n + 1, Eigen::NoChange);
  problem.X.row(n) = problem.X.row(4);
  const Approximation r = problem.solve(twice);
  EXPECT_NEAR(q.log_evidence, r.log_evidence, 1e-8);
  EXPECT_LT((q.p_wrong - r.p_wrong.head(n)).lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_LT((q.likelihood_gradient - r.likelihood_gradient).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST_P(MulticlassEp, StartsFromItsOwnSitesWithoutMoving) {
  const Problem problem = GetParam();
  const Approximation q = problem.solve();
  const Approximation again = multiclass_ep(
      tight, problem.likelihood(), problem.observations(),
      class_posterior(problem.form, problem.classes, {problem.covariance}, problem.X, Threads{}),
      Sites{q.site_tau, q.site_nu});
  EXPECT_LE(again.outcome.sweeps, 2);
  EXPECT_NEAR(again.log_evidence, q.log_evidence, 1e-10);
}

TEST_P(MulticlassEp, ARebuiltPosteriorPredictsTheSame) {
  const Problem problem = GetParam();
  const Matrix X_test = random_matrix(5, 2, 9);
  const Approximation q = problem.solve();
  const Approximation r = rebuilt(
      class_posterior(problem.form, problem.classes, {problem.covariance}, problem.X, Threads{}),
      {q.site_tau, q.site_nu});
  const ClassPrediction a =
      predict_classes(q, {problem.covariance}, problem.likelihood(), problem.X, X_test);
  const ClassPrediction b =
      predict_classes(r, {problem.covariance}, problem.likelihood(), problem.X, X_test);
  EXPECT_LT((a.clean - b.clean).cwiseAbs().maxCoeff(), 1e-12);  // by the factor or its inverse
  EXPECT_LT((a.clean.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
  EXPECT_LT((a.observed.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-12);
}

// A covariance that is 0 at a new row: every class is as good as another.
TEST_P(MulticlassEp, PredictsWhereThePriorIsCertain) {
  Problem problem = GetParam();
  problem.covariance = Linear{};
  const ClassPrediction p = predict_classes(problem.solve(), {problem.covariance},
                                            problem.likelihood(), problem.X, Matrix::Zero(1, 2));
  const double each = 1.0 / static_cast<double>(problem.classes);
  EXPECT_LT((p.clean.array() - each).abs().maxCoeff(), 1e-9);
}

TEST_P(MulticlassEp, ConfusedAlikeIsOneRate) {
  const Problem problem = GetParam();
  const double others = static_cast<double>(problem.classes - 1);
  if (problem.rate == 0.0 || problem.classes == 2) GTEST_SKIP() << "no confusion of these";
  Matrix shares = Matrix::Constant(problem.classes, problem.classes, problem.rate / others);
  shares.diagonal().setConstant(1.0 - problem.rate);
  const Approximation one = problem.solve();
  const Approximation each = problem.solve(problem.observations().confused(shares));
  EXPECT_NEAR(each.log_evidence, one.log_evidence, 1e-8);  // EP's tolerance
  EXPECT_LT((each.p_wrong - one.p_wrong).lpNorm<Eigen::Infinity>(), 1e-8);
}

// Every class is taken for the next one more often than for the others.
Matrix habits(Index classes) {
  Matrix shares = Matrix::Constant(classes, classes, 0.01);
  for (Index k = 0; k < classes; ++k) {
    shares(k, k) = 0.0;
    shares(k, (k + 1) % classes) = 0.2;
    shares(k, k) = 1.0 - shares.row(k).sum();
  }
  return shares;
}

TEST_P(MulticlassEp, EvidenceGradientOfConfusedLabelsAgreesWithDifferences) {
  const Problem problem = GetParam();
  if (problem.classes == 2) GTEST_SKIP() << "no confusion of these";
  const Observations labels = problem.observations().confused(habits(problem.classes));
  const Approximation q = problem.solve(labels);
  EXPECT_EQ(q.outcome.status, Status::converged);
  EXPECT_EQ(q.likelihood_gradient[0], 0.0) << "no rate is left in it";
  expect_covariance_gradient(problem, labels, q);
}

// Four rows, drawn from the prior with their noise: the label that is right of each, and how often
// it is recorded as given.  400,000 draws tell the evidence to 0.3 %; EP's own error is below that
// of docs/math/multiclass.md for twelve rows.
TEST(CoupledEp, OfConfusedLabelsHasTheEvidenceOfDrawsFromThePrior) {
  Problem problem{ClassForm::coupled, 3, 0.1};
  problem.X = problem.X.topRows(4).eval();
  const Matrix shares = habits(3);
  const Observations labels = problem.observations().confused(shares);
  const auto K = covariance_matrix(Gram(problem.covariance, problem.X), Threads{1});
  const Matrix L = K->llt().matrixL();
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  constexpr int draws = 400'000;
  double sum = 0.0;
  for (int draw = 0; draw < draws; ++draw) {
    const Matrix f = L * Matrix::NullaryExpr(4, 3, [&] { return normal(random); });
    double p = 1.0;
    for (Index i = 0; i < 4; ++i) {
      Index truth = 0;
      (f.row(i) + Eigen::RowVector3d::NullaryExpr([&] { return normal(random); })).maxCoeff(&truth);
      p *= shares(truth, static_cast<Index>(labels.y[i]));
    }
    sum += p;
  }
  EXPECT_NEAR(problem.solve(labels).log_evidence, std::log(sum / draws), 0.03);
}

// Two classes are the threshold likelihood of their difference: covariance 2K, noise 2v₂, ε = ρ/2,
// which is covariance K, noise v₂ of the contrast.
TEST(CoupledEp, OfTwoClassesIsTheBinaryEngine) {
  for (const double rate : {0.0, 0.02, 0.2}) {
    const Problem problem{ClassForm::coupled, 2, rate};
    const Observations labels = problem.observations();
    const Approximation q = problem.solve();
    const Covariance twice = 2.0 * problem.covariance;
    const Likelihood threshold = Threshold{rate, 2.0};
    const Observations binary{.y = 2.0 * labels.y.array() - 1.0};
    const Approximation expected = infer(tight, twice, threshold, problem.X, binary);
    EXPECT_NEAR(q.log_evidence, expected.log_evidence, 1e-8);
    EXPECT_LT((q.p_wrong - expected.p_wrong).lpNorm<Eigen::Infinity>(), 1e-8);
    const Matrix X_test = random_matrix(6, 2, 3);
    const ClassPrediction p =
        predict_classes(q, {problem.covariance}, problem.likelihood(), problem.X, X_test);
    const Prediction of_two = predict(expected, twice, threshold, problem.X, X_test);
    EXPECT_LT((p.clean.col(1) - of_two.p_clean).lpNorm<Eigen::Infinity>(), 1e-8);
    EXPECT_LT((p.observed.col(1) - of_two.p_observed).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

// One covariance for all, said once or for each.
TEST(FactorisedEp, TakesACovarianceForEachClass) {
  const Problem problem{ClassForm::factorised, 4, 0.05};
  const std::vector<Covariance> each(4, problem.covariance);
  const Approximation q = problem.solve();
  const Approximation r =
      multiclass_ep(tight, problem.likelihood(), problem.observations(),
                    class_posterior(problem.form, 4, each, problem.X, Threads{}));
  EXPECT_NEAR(q.log_evidence, r.log_evidence, 1e-10);
  const Vector shared = covariance_gradient(q, {problem.covariance}, problem.X);
  const Vector apart = covariance_gradient(r, each, problem.X);
  EXPECT_LT((apart.reshaped(shared.size(), 4).rowwise().sum() - shared).norm(), 1e-9);
}

TEST(MulticlassInference, GoesThroughTheSameDoor) {
  const Problem problem{ClassForm::factorised, 5, 0.1};
  const Likelihood likelihood = Threshold{0.1, 1.0};
  const Approximation q =
      infer(tight, problem.covariance, likelihood, problem.X, problem.observations());
  EXPECT_NEAR(q.log_evidence, problem.solve().log_evidence, 1e-10);
  const EvidenceGradient gradient = evidence_gradient(q, problem.covariance, problem.X);
  EXPECT_EQ(gradient.likelihood.size(), 2);
  const Approximation probit =
      infer(tight, problem.covariance, Probit{}, problem.X, problem.observations());
  EXPECT_EQ(probit.likelihood_gradient.size(), 0);
}

std::string refusal(const Inference& engine, const Likelihood& likelihood, Observations labels) {
  const Problem problem{ClassForm::factorised, 5, 0.1};
  try {
    static_cast<void>(infer(engine, problem.covariance, likelihood, problem.X, labels));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(MulticlassInference, RefusesWhatItCannotTake) {
  const Observations good = Problem{ClassForm::factorised, 5, 0.1}.observations();
  Observations labels = good;
  labels.y[3] = 5.0;
  EXPECT_EQ(refusal(Ep{}, Threshold{}, labels),
            "row 3: y is 5: it must be a class number from 0 to 4");
  labels.y[3] = 0.5;
  EXPECT_EQ(refusal(Ep{}, Threshold{}, labels),
            "row 3: y is 0.5: it must be a class number from 0 to 4");
  labels = good;
  labels.weight = Vector::Constant(labels.size(), 0.5);
  EXPECT_EQ(refusal(Ep{}, Threshold{}, labels),
            "row 0: weight is below 1: more than two classes at once take whole rows");
  EXPECT_EQ(refusal(Ep{}, Threshold{}, good.confused(Matrix::Constant(5, 5, 0.3))),
            "confusion has a row that does not sum to 1");
  EXPECT_EQ(refusal(Ep{}, Threshold{}, good.confused(Matrix::Identity(5, 5))),
            "confusion has a share below 1e-6: every class may be taken for every other");
  EXPECT_EQ(refusal(Laplace{}, Probit{}, good), "more than two classes at once take ep");
  EXPECT_EQ(refusal(Ep{}, Logistic{}, good),
            "likelihood is logistic: more than two classes take threshold or probit");
}

}  // namespace
}  // namespace candor
