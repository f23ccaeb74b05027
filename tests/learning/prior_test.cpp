// SPDX-License-Identifier: MIT
// The prior on Theta: a density, with its gradient and curvature, tied as its header says.
#include <candor/learning/prior.hpp>
#include <candor/linalg/errors.hpp>

#include "tests/inference/zoo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace candor {
namespace {

// The trapezoidal rule: for a normal density cut at ten deviations its error is far below 1e-12.
double integral(const std::function<double(double)>& f, double centre, double half_width) {
  constexpr int points = 1000;
  const double h = 2.0 * half_width / points;
  double sum = 0.0;
  for (int i = 0; i <= points; ++i) sum += f(centre - half_width + h * i);
  return sum * h;
}
constexpr double quadrature = 1e-10;

double normal_density(double x, double sd) {
  return std::exp(-0.5 * x * x / (sd * sd)) / (sd * std::sqrt(2.0 * std::numbers::pi));
}

const PriorGroup single{.members = {0}, .centre = 0.7, .common_sd = 1.3};
const PriorGroup pair{.members = {0, 1}, .centre = -0.4, .common_sd = 0.9, .spread = 0.35};
// Two groups over six coordinates; the fourth has no prior.
const Prior mixed({{.members = {1, 2, 5}, .centre = 0.2, .common_sd = 1.1, .spread = 0.3},
                   {.members = {0}, .centre = 1.0, .common_sd = 0.5, .spread = 0.2},
                   {.members = {4}, .centre = -2.0, .common_sd = 1.5}});

double density(const Prior& prior, const Vector& u) { return std::exp(prior.at({u}).log_density); }

double mass_of_pair(const std::function<double(const Vector&)>& f) {
  return integral(
      [&](double a) {
        return integral([&](double b) { return f(Vector{{a, b}}); }, pair.centre, 10.0);
      },
      pair.centre, 10.0);
}

TEST(PriorLaws, OneCoordinateHasMassOne) {
  const Prior prior({single});
  const double mass =
      integral([&](double u) { return density(prior, Vector{{u}}); }, single.centre, 13.0);
  EXPECT_NEAR(mass, 1.0, quadrature);
}

TEST(PriorLaws, AGroupOfTwoHasMassOne) {
  const Prior prior({pair});
  EXPECT_NEAR(mass_of_pair([&](const Vector& u) { return density(prior, u); }), 1.0, quadrature);
}

TEST(PriorMutants, ForgettingThatAGroupIsTiedChangesItsMass) {
  const double own = pair.common_sd * pair.common_sd + pair.spread * pair.spread;
  const Matrix P = Prior({pair}).precision(2);
  const double mass = mass_of_pair([&](const Vector& u) {
    const Vector d = u.array() - pair.centre;
    return std::exp(-0.5 * d.dot(P * d)) / (2.0 * std::numbers::pi * own);
  });
  EXPECT_GT(std::abs(mass - 1.0), 0.1);
}

// u_d = c + δ_d with c integrated out numerically.
TEST(PriorLaws, AGroupIsAHierarchyWithItsCommonValueIntegratedOut) {
  const Prior prior({{.members = {0, 1, 2}, .centre = 0.5, .common_sd = 0.8, .spread = 0.3}});
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Vector u = random_matrix(3, 1, seed);
    const double expected = integral(
        [&](double c) {
          double product = normal_density(c - 0.5, 0.8);
          for (const double x : u) product *= normal_density(x - c, 0.3);
          return product;
        },
        0.5, 10.0);
    EXPECT_NEAR(density(prior, u), expected, quadrature * (1.0 + expected)) << "seed " << seed;
  }
}

TEST(PriorLaws, TheSpreadOfASingleCoordinateAddsToItsVariance) {
  const Prior prior({{.members = {0}, .centre = 0.0, .common_sd = 0.6, .spread = 0.8}});
  for (const double u : {-2.0, 0.0, 0.5}) {
    EXPECT_NEAR(density(prior, Vector{{u}}), normal_density(u, 1.0), 1e-14);
  }
}

TEST(PriorLaws, TheGradientAgreesWithDifferences) {
  constexpr unsigned seed = 8;
  const Vector u = random_matrix(6, 1, seed);
  const Vector gradient = mixed.at({u}).gradient;
  ASSERT_EQ(gradient.size(), 6);
  for (Index i = 0; i < 6; ++i) {
    const auto shifted = [&](double step) {
      Vector v = u;
      v[i] += step;
      return mixed.at({v}).log_density;
    };
    // Central differences of a quadratic are exact but for rounding, 1e-15/h.
    constexpr double h = 1e-2;
    EXPECT_NEAR(gradient[i], (shifted(h) - shifted(-h)) / (2.0 * h), 1e-10) << "seed " << seed;
  }
}

// ∫ over the rates themselves, dε = ε(1 - 2ε) du; the prior leaves out the factors 4 and 8.
TEST(PriorLaws, RatesHaveMassOneWithTheirConstants) {
  const Prior one({}, {0}), two({}, {0, 1});
  // Cut at ±40, where e^-40 of it is left.
  const double of_one =
      integral([&](double u) { return density(one, Vector{{u}}) * rate_slope(u); }, 0.0, 40.0);
  const double of_two = integral(
      [&](double a) {
        return rate_slope(a) * integral(
                                   [&](double b) {
                                     return density(two, Vector{{a, b}}) * rate_slope(b);
                                   },
                                   0.0, 40.0);
      },
      0.0, 40.0);
  EXPECT_NEAR(of_one, 1.0 / 4.0, quadrature);
  EXPECT_NEAR(of_two, 1.0 / 8.0, quadrature);
}

// So that a rate of each class, both alike, is as probable as one rate of that size.
TEST(PriorLaws, TwoEqualRatesAreAsOne) {
  const Prior one({}, {0}), two({}, {0, 1});
  for (const double u : {-9.0, -1.0, 0.0, 3.0}) {
    EXPECT_NEAR(density(two, Vector{{u, u}}), density(one, Vector{{u}}), 1e-15);
  }
}

TEST(PriorLaws, TheGradientOfRatesAgreesWithDifferences) {
  for (const Prior& prior : {Prior({}, {0}), Prior({}, {0, 1})}) {
    const Vector u{{-1.3, 0.4}};
    const Vector gradient = prior.at({u}).gradient;
    for (const Index i : prior.rates()) {
      const auto shifted = [&](double step) {
        Vector v = u;
        v[i] += step;
        return prior.at({v}).log_density;
      };
      constexpr double h = 1e-4;  // error h² of the third derivative, below 1, and 1e-16/h
      EXPECT_NEAR(gradient[i], (shifted(h) - shifted(-h)) / (2.0 * h), 1e-8);
    }
  }
}

TEST(PriorLaws, ThePrecisionIsMinusTheHessian) {
  const Vector u = random_matrix(6, 1, 9);
  Matrix hessian(6, 6);
  for (Index i = 0; i < 6; ++i) {
    Vector v = u;
    v[i] += 1.0;  // the gradient is linear
    hessian.col(i) = mixed.at({v}).gradient - mixed.at({u}).gradient;
  }
  EXPECT_LT(difference(mixed.precision(6), -hessian), 1e-12);
}

TEST(Prior, HasNoSayInCoordinatesOutsideItsGroups) {
  const Matrix P = mixed.precision(6);
  EXPECT_TRUE(P.row(3).isZero(0.0));
  EXPECT_TRUE(P.col(3).isZero(0.0));
  Vector u = random_matrix(6, 1, 9);
  const double before = mixed.at({u}).log_density;
  u[3] += 5.0;
  EXPECT_EQ(mixed.at({u}).log_density, before);
}

TEST(Prior, NoneIsZeroWithoutSlope) {
  const Prior none;
  const Prior::Value value = none.at({random_matrix(4, 1, 2)});
  EXPECT_EQ(value.log_density, 0.0);
  EXPECT_EQ(value.gradient, Vector::Zero(4));
  EXPECT_EQ(none.precision(4), Matrix::Zero(4, 4));
}

TEST(Prior, RefusesWhatIsNoDensity) {
  EXPECT_THROW(Prior({{.members = {0}, .common_sd = 0.0}}), InvalidInput);
  EXPECT_THROW(Prior({{.members = {0}, .common_sd = std::nan("")}}), InvalidInput);
  EXPECT_THROW(Prior({{.members = {0}, .spread = -0.1}}), InvalidInput);
  EXPECT_THROW(Prior({{.members = {0, 1}, .spread = 0.0}}), InvalidInput);
}

Coordinates coordinates_of(const Covariance& covariance, const Likelihood& likelihood,
                           const ParameterChoice& choice = {}) {
  return Coordinates({.covariance = covariance, .likelihood = likelihood}, choice);
}

TEST(DefaultPrior, TiesTheLengthscalesOfOneCovarianceAndNoOthers) {
  const Vector own = Vector::Ones(3);
  const Coordinates coordinates = coordinates_of(
      2.0 * Covariance(SquaredExponential{.lengthscale = own}) + Linear{.lengthscale = own},
      Threshold{.flip_probability = 0.1});
  const Matrix P = default_prior(coordinates, random_matrix(9, 3, 4)).precision(coordinates.size());
  ASSERT_EQ(coordinates.size(), 8);  // v₀, three lengthscales, three more, ε
  for (const Index first : {1, 4}) {
    for (Index i = first; i < first + 3; ++i) {
      for (Index j = 0; j < 8; ++j) {
        const bool together = j >= first && j < first + 3;
        EXPECT_EQ(P(i, j) != 0.0, together) << i << ", " << j;
      }
    }
  }
}

TEST(DefaultPrior, LeavesRatesToTheEvidence) {
  const Coordinates coordinates =
      coordinates_of(2.0 * Covariance(SquaredExponential{}),
                     AsymmetricThreshold{.flip_positive = 0.1, .flip_negative = 0.2});
  const Matrix P = default_prior(coordinates, random_matrix(9, 3, 4)).precision(coordinates.size());
  for (Index i = 0; i < coordinates.size(); ++i) {
    const FreeParameter& p = coordinates.parameters()[static_cast<std::size_t>(i)];
    EXPECT_EQ(P(i, i) > 0.0, p.coordinate == Coordinate::log) << p.name;
  }
}

TEST(DefaultPrior, CentresLengthscalesAtTheRootOfTheColumnsInColumnDeviations) {
  Matrix X = random_matrix(400, 4, 6);
  X.rowwise() -= X.colwise().mean().eval();
  X *= 5.0 / std::sqrt(X.squaredNorm() / static_cast<double>(X.size()));
  const Coordinates coordinates = coordinates_of(SquaredExponential{}, Probit{});
  const Prior prior = default_prior(coordinates, X);
  ASSERT_EQ(prior.groups().size(), 1U);
  EXPECT_NEAR(std::exp(prior.groups()[0].centre), 5.0 * 2.0, 1e-9);
  // Where the columns stand does not matter.
  X.array() += 17.0;
  EXPECT_NEAR(default_prior(coordinates, X).groups()[0].centre, prior.groups()[0].centre, 1e-9);
}

TEST(DefaultPrior, MeasuresVariancesByTheNoise) {
  const Matrix X = random_matrix(9, 2, 4);
  const auto centre = [&](double noise) {
    const Coordinates c =
        coordinates_of(2.0 * Covariance(SquaredExponential{}), Threshold{.noise_variance = noise});
    return default_prior(c, X).groups()[0].centre;
  };
  EXPECT_NEAR(centre(0.01) - centre(1.0), std::log(0.01), 1e-12);
}

TEST(DefaultPrior, HasADensityForTablesOfConstantsAndOfOneRow) {
  const Coordinates coordinates = coordinates_of(
      2.0 * Covariance(RationalQuadratic{.lengthscale = Vector::Ones(2)}), Threshold{});
  for (const Matrix& X : {Matrix(Matrix::Constant(5, 2, 3.0)), Matrix(Matrix::Ones(1, 2))}) {
    const Prior::Value value = default_prior(coordinates, X).at(coordinates.theta());
    EXPECT_TRUE(std::isfinite(value.log_density));
    EXPECT_TRUE(value.gradient.allFinite());
  }
}

TEST(Prior, RefusesAGroupOfNone) { EXPECT_THROW(Prior({PriorGroup{}}), InvalidInput); }

TEST(DefaultPrior, HasNoGroupOfWhatIsHeld) {
  const Coordinates coordinates =
      coordinates_of(2.0 * Covariance(SquaredExponential{.lengthscale = Vector::Ones(2)}), Probit{},
                     {.held = {"covariance.factor.lengthscale[0]"}});
  const Prior prior = default_prior(coordinates, random_matrix(9, 2, 4));
  ASSERT_EQ(prior.groups().size(), 2U);
  EXPECT_EQ(prior.groups()[1].members, std::vector<Index>{1});
  EXPECT_TRUE(std::isfinite(prior.at(coordinates.theta()).log_density));
}

}  // namespace
}  // namespace candor
