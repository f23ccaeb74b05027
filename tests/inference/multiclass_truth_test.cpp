// SPDX-License-Identifier: MIT
// EP for three classes against the truth by sampling (scripts/oracle/multiclass_mcmc.py).
//
// EP is an approximation, and this says of which quality.  Budget for coupled sites: 0.3 nats of
// evidence, which is what EP was found to miss on a problem of this size (docs/math/multiclass.md),
// and 0.05 of a probability; each with three standard errors of the sampler.  Factorised sites are
// further away, and the bounds below say how far.  Prints what docs/math/multiclass.md tells.
#include "zoo.hpp"

#include <candor/inference/multiclass_ep.hpp>
#include <candor/inference/predict_classes.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iostream>

namespace candor {
namespace {

using Json = nlohmann::json;

Json truth() { return Json::parse(std::ifstream("tests/inference/multiclass_mcmc.json")); }

Matrix matrix(const Json& rows) {
  Matrix result(std::ssize(rows), std::ssize(rows.at(0)));
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < result.cols(); ++j) {
      result(i, j) = rows.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
    }
  }
  return result;
}

Vector vector(const Json& numbers) {
  const auto list = numbers.get<std::vector<double>>();
  return Eigen::Map<const Vector>(list.data(), std::ssize(list));
}

struct Deviation {
  double evidence, p_wrong, p_class;
};

// How far EP is from the sampler, less three of the sampler's standard errors.
Deviation deviation(const Json& problem, ClassForm form) {
  const Matrix X = matrix(problem["X"]), X_test = matrix(problem["X_test"]);
  const Covariance covariance =
      problem["variance"].get<double>() *
      Covariance(SquaredExponential{.lengthscale = Vector{{problem["lengthscale"].get<double>()}}});
  const RobustMax likelihood{problem["flip_probability"].get<double>(), 1.0, 3};
  const Approximation q = multiclass_ep(Ep{}, likelihood, {.y = vector(problem["y"]), .classes = 3},
                                        class_posterior(form, 3, {covariance}, X, Threads{}));
  EXPECT_EQ(q.outcome.status, Status::converged);
  const ClassPrediction p = predict_classes(q, {covariance}, likelihood, X, X_test);
  const double evidence = q.log_evidence - problem["log_evidence"].get<double>();
  const double error = problem["log_evidence_error"];
  const Vector wrong = (q.p_wrong - vector(problem["p_wrong"])).cwiseAbs();
  const double p_class = (p.clean - matrix(problem["p_class"])).cwiseAbs().maxCoeff();
  std::cout << name_of(form) << ", " << X.rows() << " rows: evidence " << evidence << " (± "
            << error << "), p_wrong " << wrong.maxCoeff() << ", classes " << p_class << '\n';
  return {std::abs(evidence) - 3.0 * error,
          (wrong - 3.0 * vector(problem["p_wrong_error"])).maxCoeff(), p_class};
}

TEST(CoupledEp, OfThreeClassesIsNearTheTruth) {
  const Json all = truth();
  ASSERT_EQ(all["problems"].size(), 6U);
  for (const Json& problem : all["problems"]) {
    const Deviation off = deviation(problem, ClassForm::coupled);
    EXPECT_LT(off.evidence, 0.3) << problem["y"].size() << " rows";
    EXPECT_LT(off.p_wrong, 0.05) << problem["y"].size() << " rows";
    EXPECT_LT(off.p_class, 0.05) << problem["y"].size() << " rows";
  }
}

TEST(FactorisedEp, OfThreeClassesIsFurtherFromTheTruth) {
  const Json all = truth();
  ASSERT_EQ(all["problems"].size(), 6U);
  for (const Json& problem : all["problems"]) {
    const Deviation off = deviation(problem, ClassForm::factorised);
    EXPECT_LT(off.evidence, 2.5) << problem["y"].size() << " rows";
    EXPECT_LT(off.p_wrong, 0.15) << problem["y"].size() << " rows";
    EXPECT_LT(off.p_class, 0.1) << problem["y"].size() << " rows";
  }
}

}  // namespace
}  // namespace candor
