// SPDX-License-Identifier: MIT
// Legal but awkward tables and settings: always an answer, never a NaN.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace candor {
namespace {

Covariance unit(double variance) {
  return variance * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.6)});
}

bool are_probabilities(const Vector& p) {
  return p.allFinite() && (p.array() >= 0.0).all() && (p.array() <= 1.0).all();
}

// Everything a caller can read off is a number, and one that can be what it says it is.
void expect_sane(const Inference& engine, const Covariance& covariance,
                 const Likelihood& likelihood, const Table& table) {
  Approximation q = infer(engine, covariance, likelihood, table.X, table.observations);
  EXPECT_TRUE(std::isfinite(q.log_evidence));
  EXPECT_TRUE(q.latent_mean.allFinite() && q.alpha.allFinite());
  EXPECT_TRUE(q.latent_variance.allFinite() && (q.latent_variance.array() >= 0.0).all());
  EXPECT_TRUE(q.site_tau.allFinite() && q.site_nu.allFinite());
  EXPECT_TRUE(q.log_loo.allFinite());
  EXPECT_TRUE(are_probabilities(q.p_wrong));
  if (!std::holds_alternative<Gaussian>(likelihood)) {
    EXPECT_TRUE((q.log_loo.array() <= 0.0).all());  // of a discrete label
  }
  const auto gradient = evidence_gradient(q, covariance, table.X);
  EXPECT_TRUE(gradient.covariance.allFinite()) << gradient.covariance.transpose();
  EXPECT_TRUE(gradient.likelihood.allFinite()) << gradient.likelihood.transpose();

  const Matrix X_test = random_matrix(4, table.X.cols(), 2);
  const auto p = predict(q, covariance, likelihood, table.X, X_test);
  EXPECT_TRUE(p.latent_mean.allFinite());
  EXPECT_TRUE(p.latent_variance.allFinite() && (p.latent_variance.array() >= 0.0).all());
  EXPECT_TRUE(are_probabilities(p.p_sign) && are_probabilities(p.p_clean));
  EXPECT_TRUE(are_probabilities(p.p_observed));
}

// All pairs of engine and likelihood, at their default tolerances.
void expect_sane_everywhere(const Covariance& covariance, const Table& table) {
  const std::vector<Inference> engines{Ep{}, SequentialEp{.damping = 0.5}, Laplace{}};
  for (const Inference& engine : engines) {
    for (const Likelihood& likelihood : zoo_likelihoods()) {
      if (!takes(engine, likelihood)) continue;
      SCOPED_TRACE(testing::Message() << name_of(likelihood) << ", engine " << engine.index());
      expect_sane(engine, covariance, likelihood, table);
    }
  }
}

TEST(HardInput, OfASingleRow) {
  expect_sane_everywhere(unit(2.0), {"one", Matrix::Zero(1, 2), labels(Vector::Ones(1))});
}

TEST(HardInput, OfOneClassOnly) {
  Table table = ring(14, 0, 6);
  table.observations.y.setOnes();
  expect_sane_everywhere(unit(2.0), table);
}

TEST(HardInput, OfARowOfWhichThePriorIsCertain) {
  // A linear covariance is 0 at the origin, and underflows to 0 near it.
  const Matrix X = (Matrix(5, 1) << 0.0, 1e-200, -1.0, 1.0, 2.0).finished();
  const Vector y = (Vector(5) << 1.0, -1.0, -1.0, 1.0, 1.0).finished();
  expect_sane_everywhere(Linear{}, {"origin", X, labels(y)});
}

TEST(HardInput, OfWeightsBelowOneOnAWidePrior) {
  Table table = ring(12, 1, 3);
  table.observations.weight = Vector::Constant(12, 0.25);
  expect_sane_everywhere(unit(100.0), table);
}

TEST(HardInput, OfEqualRows) {
  expect_sane_everywhere(unit(2.0), {"equal", Matrix::Ones(9, 2), labels(Vector::Ones(9))});
}

TEST(HardInput, OfEqualRowsThatContradictEachOther) {
  Vector y = Vector::Ones(10);
  y.head(4).setConstant(-1.0);
  const Table table{"contradicting", Matrix::Ones(10, 2), labels(y)};
  expect_sane_everywhere(unit(2.0), table);
  for (const double noise : {1e-8, 1e-4, 1.0, 1e8}) {
    SCOPED_TRACE(testing::Message() << "noise " << noise);
    expect_sane(Ep{}, unit(2.0), Threshold{0.0, noise}, table);
    expect_sane(Ep{}, unit(2.0), Threshold{0.1, noise}, table);
  }
}

TEST(HardInput, OfConstantColumns) {
  Table table = ring(12, 1, 8);
  table.X.col(1).setConstant(3.0);
  expect_sane_everywhere(unit(2.0), table);
}

TEST(HardInput, OfDiscreteColumnsOnly) {
  Table table = ring(12, 1, 8);
  table.X = (table.X.array() > 0.0).cast<double>();
  const Covariance covariance = 2.0 * Covariance(SquaredExponential{.discrete = {0, 1}});
  expect_sane_everywhere(covariance, table);
}

TEST(HardInput, OfHugeAndTinyInputs) {
  for (const double scale : {1e-200, 1e-8, 1e8, 1e200}) {
    SCOPED_TRACE(testing::Message() << "inputs of size " << scale);
    Table table = ring(10, 1, 8);
    table.X *= scale;
    expect_sane(Ep{}, unit(2.0), Threshold{0.05, 0.3}, table);
    expect_sane(Laplace{}, unit(2.0), Logistic{}, table);
  }
}

TEST(HardInput, OfAmplitudesFromTinyToHuge) {
  for (const double amplitude : {1e-8, 1e-4, 1e4, 1e8}) {
    SCOPED_TRACE(testing::Message() << "amplitude " << amplitude);
    expect_sane_everywhere(unit(amplitude), ring(14, 2, 8));
  }
}

TEST(HardInput, OfNoiseFromTinyToHuge) {
  for (const double noise : {1e-8, 1e-4, 1e4, 1e8}) {
    for (const double amplitude : {1e-8, 1.0, 1e8}) {
      SCOPED_TRACE(testing::Message() << "noise " << noise << ", amplitude " << amplitude);
      const Table table = ring(14, 2, 8);
      for (const double eps : {0.0, 1e-6, 0.05, 0.4}) {
        expect_sane(Ep{}, unit(amplitude), Threshold{eps, noise}, table);
      }
      expect_sane(SequentialEp{}, unit(amplitude), Threshold{0.05, noise}, table);
      expect_sane(Ep{}, unit(amplitude), Gaussian{noise}, table);
      expect_sane(SequentialEp{}, unit(amplitude), Gaussian{noise}, table);
      expect_sane(Laplace{}, unit(amplitude), Gaussian{noise}, table);
    }
  }
}

TEST(HardInput, OfAStepThatIsNotSoftenedByAnyNoise) {
  for (const double eps : {0.0, 0.05}) {
    expect_sane(Ep{}, unit(1.0) + Noise{.variance = 1e-3}, Threshold{eps, 0.0}, ring(14, 2, 8));
    expect_sane(Ep{}, unit(1.0), Threshold{eps, 0.0}, ring(14, 2, 8));
  }
}

TEST(HardInput, OfWeightsFarFromOne) {
  for (const double weight : {1e-3, 0.5, 100.0, 1e6}) {
    SCOPED_TRACE(testing::Message() << "weight " << weight);
    Table table = ring(10, 1, 8);
    table.observations.weight = Vector::Ones(10);
    table.observations.weight[3] = weight;
    expect_sane_everywhere(unit(2.0), table);
  }
}

// By scaling: with a step only ratios of variances matter, so the answer at 1e8 is that at 1.
TEST(HardInput, OfScaledVariancesGivesTheScaledAnswer) {
  const Table table = ring(14, 2, 8);
  const auto evidence = [&](double scale) {
    return infer(Ep{.tolerance = 1e-10}, unit(scale), Threshold{0.05, 0.1 * scale}, table.X,
                 table.observations)
        .log_evidence;
  };
  for (const double scale : {1e-8, 1e-3, 1e5, 1e8}) {
    EXPECT_NEAR(evidence(scale), evidence(1.0), 1e-9) << scale;
  }
}

// An amplitude that goes to 0 leaves nothing but coin flips.
TEST(HardInput, OfAVanishingAmplitudeIsGuessing) {
  const Table table = ring(14, 2, 8);
  const Approximation q =
      infer(Ep{}, unit(1e-8), Threshold{0.05, 1.0}, table.X, table.observations);
  EXPECT_NEAR(q.log_evidence, 14.0 * std::log(0.5), 1e-6);
  EXPECT_NEAR(q.p_wrong.maxCoeff(), 0.05, 1e-4);
}

}  // namespace
}  // namespace candor
