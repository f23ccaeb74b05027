// SPDX-License-Identifier: MIT
#include "brute_force.hpp"

#include <candor/likelihood/robust_max_coupled.hpp>
#include <candor/linalg/errors.hpp>

#include <Eigen/LU>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace candor {
namespace {

using testing::derivative;

struct Case {
  RobustMax likelihood;
  int y;
  Vector mean;
  Matrix covariance;

  CoupledTilted tilt() const {
    return tilted_coupled(likelihood, y, likelihood.flip_probability, mean, covariance);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double rate : {0.0, 0.08})
    for (const double noise : {0.0, 0.5})
      for (const double scale : {0.3, 3.0, 12.0})
        for (const double coupling : {-0.9, 0.0, 0.6})
          for (int y = 0; y < 3; ++y) {
            const double off = coupling * std::sqrt(0.7 * 2.0);
            all.push_back({{rate, noise, 3},
                           y,
                           Vector{{0.4 * scale, -scale}},
                           Matrix{{0.7, off}, {off, 2.0}}});
          }
  return all;
}

TEST(RobustMaxCoupled, ContrastsAreOrthonormalAndIgnoreShifts) {
  for (const Index C : {2, 3, 7}) {
    const Matrix B = contrasts(C);
    EXPECT_LT((B * B.transpose() - Matrix::Identity(C - 1, C - 1)).norm(), 1e-14);
    EXPECT_LT((B * Vector::Ones(C)).norm(), 1e-14);
  }
}

TEST(RobustMaxCoupled, IsNormalisedOverTheLabels) {
  for (Case c : cases()) {
    double Z = 0.0;
    for (c.y = 0; c.y < 3; ++c.y) Z += std::exp(c.tilt().log_Z);
    EXPECT_NEAR(Z, 1.0, 1e-13);
    const Vector p = class_probabilities_coupled(c.likelihood, c.mean, c.covariance);
    EXPECT_NEAR(p.sum(), 1.0, 1e-14);
    c.y = 1;
    EXPECT_NEAR(p[1], c.tilt().p_right, 1e-13);
  }
}

// Independent classes seen through the contrasts: the one-dimensional integral, another rule.
TEST(RobustMaxCoupled, AgreesWithIndependentClasses) {
  for (const Index C : {2, 3})
    for (const double scale : {0.0, 1.0, 10.0})
      for (const double rate : {0.0, 0.1}) {
        const RobustMax l{rate, 0.4, C};
        const Vector m = scale * Vector{{0.9, -1.1, 0.3}}.head(C);
        const Vector V = Vector{{0.5, 2.0, 7.0}}.head(C);
        const Matrix B = contrasts(C), covariance = B * V.asDiagonal() * B.transpose();
        for (int y = 0; y < C; ++y) {
          const ClassTilted a = tilted(l, y, rate, m, V);
          const CoupledTilted b = tilted_coupled(l, y, rate, B * m, covariance);
          EXPECT_NEAR(a.log_Z, b.log_Z, 1e-11 * (1.0 + std::abs(a.log_Z)));
          EXPECT_NEAR(a.p_right, b.p_right, 1e-11);
          EXPECT_NEAR(a.p_wrong, b.p_wrong, 1e-11);
          EXPECT_NEAR(a.rate_gradient, b.rate_gradient, 1e-10 * (1.0 + std::abs(b.rate_gradient)));
          EXPECT_LT((B * a.mean - b.mean).norm(), 1e-10 * (1.0 + b.mean.norm()));
        }
      }
}

// With h = 1e-2 the O(h⁴) error is 1e-7; contradicted labels have slopes of 20.
template <class AnyCase>
void expect_moments_are_derivatives(const AnyCase& c) {
  const CoupledTilted t = c.tilt();
  Vector slope(2);
  Matrix bend(2, 2);
  for (Index k = 0; k < 2; ++k) {
    const auto moved = [&](double m) {
      AnyCase other = c;
      other.mean[k] = m;
      return other.tilt();
    };
    slope[k] = derivative([&](double m) { return moved(m).log_Z; }, c.mean[k], 1e-2);
    for (Index j = 0; j < 2; ++j)
      bend(j, k) = derivative([&](double m) { return moved(m).mean[j]; }, c.mean[k], 1e-2);
  }
  EXPECT_LT((t.mean - c.mean - c.covariance * slope).norm(), 1e-6 * (1.0 + slope.norm()));
  EXPECT_LT((t.covariance - bend * c.covariance).norm(), 1e-6) << c.y << " " << c.mean;
}

TEST(RobustMaxCoupled, MomentsAreDerivativesOfLogZ) {
  for (const Case& c : cases()) expect_moments_are_derivatives(c);
}

TEST(RobustMaxCoupled, SiteCompletesTheCavity) {
  for (const Case& c : cases()) {
    const CoupledTilted t = c.tilt();
    EXPECT_EQ(t.T, t.T.transpose());
    const Matrix precision = c.covariance.inverse() + t.T;
    EXPECT_LT((precision * t.covariance - Matrix::Identity(2, 2)).norm(), 1e-8);
    const Vector nu = c.covariance.inverse() * c.mean + t.nu;
    EXPECT_LT((t.covariance * nu - t.mean).norm(), 1e-8 * (1.0 + c.mean.norm()));
  }
}

// The first case of the stored robust multi-class problems has one row, for which nothing is
// approximated: its cavity is the prior.
TEST(RobustMaxCoupled, AgreesWithTheStoredEvidenceOfOneRow) {
  std::ifstream file("tests/oracle/rmgpc.json");
  if (!file) throw std::runtime_error("cannot read tests/oracle/rmgpc.json");
  const nlohmann::json stored = nlohmann::json::parse(file)["expected"]["cases"][0];
  const double rho = stored["rho"], rate = rho * 2.0 / 3.0;
  const nlohmann::json& hyp = stored["hyp"];
  const double prior = double(hyp["v0"]) + double(hyp["v1"]);
  const CoupledTilted t = tilted_coupled({rate, hyp["v2"], 3}, stored["classes"][0], rate,
                                         Vector::Zero(2), prior * Matrix::Identity(2, 2));
  EXPECT_NEAR(t.log_Z, double(stored["expected_exact"]["log_evidence"]), 1e-13);
  EXPECT_NEAR(t.p_random, double(stored["expected_exact"]["outlier_probability"][0]), 1e-13);
  EXPECT_NEAR(t.p_wrong, double(stored["expected_ep"]["wrong_label_probability"][0]), 1e-12);
  Vector mean(3);
  for (Index k = 0; k < 3; ++k)
    mean[k] = stored["expected_ep"]["posterior_mean"][0][static_cast<std::size_t>(k)];
  EXPECT_LT((contrasts(3).transpose() * t.mean - mean).norm(), 1e-12);
}

TEST(RobustMaxCoupled, StaysFiniteForExtremeCavities) {
  for (const double m : {-1e4, -30.0, 0.0, 1e4})
    for (const double small : {1e-10, 1.0})
      for (const double rate : {0.0, 1e-12, 0.3})
        for (int y = 0; y < 3; ++y) {
          const CoupledTilted t = tilted_coupled({rate, 0.0, 3}, y, rate, Vector{{m, 1.0}},
                                                 Matrix{{small, 0.0}, {0.0, 2.0}});
          EXPECT_TRUE(std::isfinite(t.log_Z) && t.T.allFinite() && t.nu.allFinite());
          EXPECT_GT(t.covariance.diagonal().minCoeff(), 0.0) << m << " " << small << " " << y;
        }
}

// Which class is taken for which, with habits.
struct ConfusedCase : Case {
  Vector recorded{{0.2, 0.75, 0.03}};  // as y, of each class

  CoupledTilted tilt() const {
    return tilted_confused_coupled(likelihood, y, recorded, mean, covariance);
  }
};

TEST(RobustMaxCoupled, ConfusedAlikeIsOneRate) {
  for (const Case& c : cases()) {
    const double rate = c.likelihood.flip_probability;
    if (rate == 0.0) continue;  // no share may be 0
    Vector recorded = Vector::Constant(3, rate / 2.0);
    recorded[c.y] = 1.0 - rate;
    const CoupledTilted one = c.tilt();
    const CoupledTilted each =
        tilted_confused_coupled(c.likelihood, c.y, recorded, c.mean, c.covariance);
    EXPECT_NEAR(each.log_Z, one.log_Z, 1e-13);
    EXPECT_NEAR(each.p_wrong, one.p_wrong, 1e-12);
    EXPECT_NEAR(each.p_right, one.p_right, 1e-14);
    // A label that is contradicted by 12 deviations has slopes of 20, whose squares cancel here.
    EXPECT_LT((each.mean - one.mean).norm(), 1e-10);
    EXPECT_LT((each.T - one.T).norm(), 1e-9 * (1.0 + one.T.norm()));
    EXPECT_LT((each.nu - one.nu).norm(), 1e-9 * (1.0 + one.nu.norm()));
  }
}

TEST(RobustMaxCoupled, ConfusedMomentsAreDerivativesOfLogZ) {
  for (const Case& plain : cases()) {
    const ConfusedCase c{plain};
    expect_moments_are_derivatives(c);
    const CoupledTilted t = c.tilt();
    const Vector p = class_probabilities_coupled(c.likelihood, c.mean, c.covariance);
    EXPECT_NEAR(std::exp(t.log_Z), p.dot(c.recorded), 1e-13);
    EXPECT_NEAR(t.p_wrong, 1.0 - p[c.y] * c.recorded[c.y] / p.dot(c.recorded), 1e-12);
  }
}

TEST(RobustMaxCoupled, ConfusedAgreesWithIndependentClasses) {
  const Vector recorded{{0.2, 0.75, 0.03}};
  const Matrix B = contrasts(3);
  for (const double scale : {0.0, 1.0, 10.0})
    for (int y = 0; y < 3; ++y) {
      const RobustMax l{0.1, 0.4, 3};
      const Vector m = scale * Vector{{0.9, -1.1, 0.3}}, V{{0.5, 2.0, 7.0}};
      const ClassTilted a = tilted_confused(l, y, recorded, m, V);
      const CoupledTilted b =
          tilted_confused_coupled(l, y, recorded, B * m, B * V.asDiagonal() * B.transpose());
      EXPECT_NEAR(a.log_Z, b.log_Z, 1e-11);
      EXPECT_NEAR(a.p_wrong, b.p_wrong, 1e-11);
      EXPECT_LT((B * a.mean - b.mean).norm(), 1e-10 * (1.0 + b.mean.norm()));
    }
}

TEST(RobustMaxCoupled, ConfusedStaysFiniteForExtremeCavities) {
  for (const double m : {-1e4, -30.0, 0.0, 1e4})
    for (const double small : {1e-10, 1.0})
      for (const double least : {1e-6, 0.3})  // of observations.hpp, least_confusion
        for (int y = 0; y < 3; ++y) {
          Vector recorded = Vector::Constant(3, least);
          recorded[y] = 0.9;
          const CoupledTilted t = tilted_confused_coupled(
              {0.1, 0.0, 3}, y, recorded, Vector{{m, 1.0}}, Matrix{{small, 0.0}, {0.0, 2.0}});
          EXPECT_TRUE(std::isfinite(t.log_Z) && t.T.allFinite() && t.nu.allFinite());
          EXPECT_GT(t.covariance.diagonal().minCoeff(), 0.0) << m << " " << small << " " << y;
        }
}

TEST(RobustMaxCoupled, RefusesWhatIsOutOfItsDomain) {
  const Vector m = Vector::Zero(2);
  const Matrix V = Matrix::Identity(2, 2);
  EXPECT_THROW((void)tilted_coupled({0.1, 1.0, 4}, 0, 0.1, Vector::Zero(3), V), InvalidInput);
  EXPECT_THROW((void)tilted_coupled({0.1, 1.0, 3}, 3, 0.1, m, V), InvalidInput);
  EXPECT_THROW((void)tilted_coupled({0.1, 1.0, 3}, 0, 0.1, m, Matrix::Zero(2, 2)), InvalidInput);
  EXPECT_THROW((void)tilted_coupled({0.1, 1.0, 3}, 0, 0.1, Vector::Zero(1), V), InvalidInput);
}

}  // namespace
}  // namespace candor
