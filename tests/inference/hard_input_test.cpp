// SPDX-License-Identifier: MIT
// Legal but awkward tables and settings: always an answer, never a NaN.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/predict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace candor {
namespace {

Covariance unit(double variance) {
  return variance * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.6)});
}

bool are_probabilities(const Vector& p) {
  return p.allFinite() && (p.array() >= 0.0).all() && (p.array() <= 1.0).all();
}

// Everything a caller can read off.
struct Answers {
  Approximation q;
  EvidenceGradient gradient;
  Prediction prediction;
  bool targets_are_labels;
};

Answers answers(const Inference& engine, const Covariance& covariance, const Likelihood& likelihood,
                const Table& table) {
  Approximation q = infer(engine, covariance, likelihood, table.X, table.observations);
  EvidenceGradient gradient = evidence_gradient(q, covariance, table.X);
  const Matrix X_test = random_matrix(4, table.X.cols(), 2);
  Prediction prediction = predict(q, covariance, likelihood, table.X, X_test);
  return {std::move(q), std::move(gradient), std::move(prediction),
          !std::holds_alternative<Gaussian>(likelihood)};
}

// The answers that are not a number, or none that can be what it says it is.
std::vector<std::string> absurdities(const Answers& a) {
  const auto& [q, gradient, p, targets_are_labels] = a;
  std::vector<std::string> found;
  const auto require = [&](bool sane, const char* what) {
    if (!sane) found.emplace_back(what);
  };
  const auto are_variances = [](const Vector& v) {
    return v.allFinite() && (v.array() >= 0.0).all();
  };
  require(std::isfinite(q.log_evidence), "log_evidence");
  require(q.latent_mean.allFinite(), "latent_mean");
  require(are_variances(q.latent_variance), "latent_variance");
  require(q.alpha.allFinite(), "alpha");
  require(q.site_tau.allFinite(), "site_tau");
  require(q.site_nu.allFinite(), "site_nu");
  require(q.log_loo.allFinite(), "log_loo");
  require(!targets_are_labels || (q.log_loo.array() <= 0.0).all(), "log_loo of a label");
  require(are_probabilities(q.p_wrong), "p_wrong");
  require(gradient.covariance.allFinite(), "gradient in the covariance");
  require(gradient.likelihood.allFinite(), "gradient in the likelihood");
  require(p.latent_mean.allFinite(), "predicted mean");
  require(are_variances(p.latent_variance), "predicted variance");
  require(are_probabilities(p.p_sign), "p_sign");
  require(are_probabilities(p.p_clean), "p_clean");
  require(are_probabilities(p.p_observed), "p_observed");
  return found;
}

void expect_sane(const Inference& engine, const Covariance& covariance,
                 const Likelihood& likelihood, const Table& table) {
  EXPECT_EQ(absurdities(answers(engine, covariance, likelihood, table)),
            std::vector<std::string>{});
}

// All pairs of engine and likelihood, at their default tolerances.
void expect_sane_everywhere(const Covariance& covariance, const Table& table) {
  const std::vector<Inference> engines{Ep{}, SequentialEp{.damping = 0.5}, Laplace{},
                                       Variational{}};
  for (const Inference& engine : engines) {
    for (const Likelihood& likelihood : zoo_likelihoods()) {
      if (!takes(engine, likelihood)) continue;
      SCOPED_TRACE(testing::Message() << name_of(likelihood) << ", engine " << engine.index());
      expect_sane(engine, covariance, likelihood, table);
    }
  }
}

// Each mutant has one absurd answer, which is found by its name.
TEST(HardInputMutants, AreFoundByTheAnswerThatIsAbsurd) {
  const Answers sane = answers(Ep{}, unit(2.0), Threshold{0.05, 0.3}, ring(8, 1, 8));
  const auto found = [&](const std::function<void(Answers&)>& spoil) {
    Answers spoiled = sane;
    spoil(spoiled);
    const std::vector<std::string> names = absurdities(spoiled);
    return names.size() == 1 ? names.front() : std::to_string(names.size()) + " absurdities";
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(found([&](Answers& a) { a.q.log_evidence = nan; }), "log_evidence");
  EXPECT_EQ(found([&](Answers& a) { a.q.latent_mean[7] = nan; }), "latent_mean");
  EXPECT_EQ(found([&](Answers& a) { a.q.latent_variance[2] = -1e-300; }), "latent_variance");
  EXPECT_EQ(found([&](Answers& a) { a.q.alpha[0] = nan; }), "alpha");
  EXPECT_EQ(found([&](Answers& a) { a.q.site_tau[0] = nan; }), "site_tau");
  EXPECT_EQ(found([&](Answers& a) { a.q.site_nu[0] = nan; }), "site_nu");
  EXPECT_EQ(found([&](Answers& a) { a.q.log_loo[1] = -infinity; }), "log_loo");
  EXPECT_EQ(found([&](Answers& a) { a.q.log_loo[1] = 1e-9; }), "log_loo of a label");
  EXPECT_EQ(found([&](Answers& a) { a.q.p_wrong[3] = 1.0 + 1e-15; }), "p_wrong");
  EXPECT_EQ(found([&](Answers& a) { a.gradient.covariance[1] = nan; }),
            "gradient in the covariance");
  EXPECT_EQ(found([&](Answers& a) { a.gradient.likelihood[1] = nan; }),
            "gradient in the likelihood");
  EXPECT_EQ(found([&](Answers& a) { a.prediction.latent_mean[0] = nan; }), "predicted mean");
  EXPECT_EQ(found([&](Answers& a) { a.prediction.latent_variance[0] = -1.0; }),
            "predicted variance");
  EXPECT_EQ(found([&](Answers& a) { a.prediction.p_sign[0] = -1e-300; }), "p_sign");
  EXPECT_EQ(found([&](Answers& a) { a.prediction.p_clean[0] = nan; }), "p_clean");
  EXPECT_EQ(found([&](Answers& a) { a.prediction.p_observed[0] = 2.0; }), "p_observed");
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
  Table table{"origin", X, labels(y)};
  expect_sane_everywhere(Linear{}, table);
  table.observations.weight = Vector::Constant(5, 0.5);
  expect_sane_everywhere(Linear{}, table);
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
    expect_sane(Variational{}, unit(2.0), Threshold{0.0, noise}, table);
    expect_sane(Variational{}, unit(2.0), Threshold{0.1, noise}, table);
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
    expect_sane(Variational{}, unit(2.0), Threshold{0.05, 0.3}, table);
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
        expect_sane(Variational{}, unit(amplitude), Threshold{eps, noise}, table);
      }
      expect_sane(SequentialEp{}, unit(amplitude), Threshold{0.05, noise}, table);
      expect_sane(Ep{}, unit(amplitude), Gaussian{noise}, table);
      expect_sane(SequentialEp{}, unit(amplitude), Gaussian{noise}, table);
      expect_sane(Laplace{}, unit(amplitude), Gaussian{noise}, table);
    }
  }
}

TEST(HardInput, OfAStepThatIsNotSoftenedByAnyNoise) {
  expect_sane(Variational{}, unit(1.0), Threshold{0.05, 0.0}, ring(14, 2, 8));
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
