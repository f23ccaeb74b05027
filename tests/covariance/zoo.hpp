// SPDX-License-Identifier: MIT
// One covariance of every kind and every way to combine them, and tables to evaluate them on.
#pragma once

#include <candor/covariance/covariance.hpp>

#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace candor::testing_support {

struct Specimen {
  std::string label;
  Covariance covariance;
  Index columns;
};
inline void PrintTo(const Specimen& specimen, std::ostream* out) { *out << specimen.label; }

inline constexpr Index narrow = 3;  // distances by differences
inline constexpr Index wide = 24;   // distances by a matrix product

// Lengthscales that differ from column to column, around √columns so that covariances are neither 0
// nor 1.
inline Vector own_lengthscales(Index columns) {
  Vector lengthscale(columns);
  for (Index c = 0; c < columns; ++c) {
    lengthscale[c] =
        std::sqrt(static_cast<double>(columns)) * (0.6 + 0.1 * static_cast<double>(c % 7));
  }
  return lengthscale;
}

inline std::vector<Specimen> zoo() {
  const Vector shared = Vector::Constant(1, 1.4);
  const Vector own = own_lengthscales(narrow);
  const Vector many = own_lengthscales(wide);
  const SquaredExponential smooth{.lengthscale = own};
  const Matern rough{.smoothness = 0.5, .lengthscale = shared, .discrete = {2}};
  return {
      {"SquaredExponential", SquaredExponential{.lengthscale = shared}, narrow},
      {"SquaredExponentialOwn", smooth, narrow},
      {"SquaredExponentialMixed", SquaredExponential{.lengthscale = own, .discrete = {2}}, narrow},
      {"SquaredExponentialWide", SquaredExponential{.lengthscale = many, .discrete = {2, 5}}, wide},
      {"RationalQuadratic", RationalQuadratic{.shape = 0.7, .lengthscale = shared}, narrow},
      {"RationalQuadraticMixed", RationalQuadratic{3.0, own, {2}}, narrow},
      {"RationalQuadraticWide", RationalQuadratic{3.0, many, {2, 5}}, wide},
      {"MaternHalf", rough, narrow},
      {"MaternHalfWide", Matern{0.5, many, {2}}, wide},
      {"MaternThreeHalves", Matern{1.5, own, {2}}, narrow},
      {"MaternFiveHalves", Matern{2.5, own, {}}, narrow},
      {"MaternQuarter", Matern{0.25, own, {}}, narrow},
      {"MaternOne", Matern{1.0, own, {2}}, narrow},
      {"MaternBesselWide", Matern{3.3, many, {2, 5}}, wide},
      {"Linear", Linear{.lengthscale = shared}, narrow},
      {"LinearMixed", Linear{own, {2}}, narrow},
      {"Constant", Constant{0.3}, narrow},
      {"Noise", Noise{0.2}, narrow},
      {"Scaled", 2.5 * Covariance(smooth), narrow},
      {"ScaledTwice", 2.5 * (0.1 * Covariance(rough)), narrow},
      {"Sum", smooth + Covariance(Constant{0.5}) + Covariance(Noise{0.1}), narrow},
      {"Product", smooth * Covariance(rough), narrow},
      {"ProductWithNoise", Covariance(Noise{0.4}) * Covariance(smooth), narrow},
      {"ProductOfThree", Covariance(smooth) * Covariance(Linear{own, {2}}) * Covariance(rough),
       narrow},
      {"SumOfOne", Sum{{smooth}}, narrow},
      {"Nested",
       2.0 * (Covariance(smooth) * (Covariance(Constant{0.7}) + 0.5 * Covariance(Linear{}))) +
           3.0 * (Covariance(rough) + Covariance(Noise{0.01})),
       narrow},
  };
}

// Standard normal numbers; columns 2 and 5 take the values 0, 1, 2; rows 1 and 4 are equal.
inline Matrix table(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  Matrix X(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < columns; ++c) {
      X(i, c) = c == 2 || c == 5 ? static_cast<double>(bits() % 3) : normal(bits);
    }
  }
  if (rows > 4) X.row(4) = X.row(1);
  return X;
}

inline Matrix symmetric_table(Index size, std::uint64_t seed) {
  const Matrix A = table(size, size, seed);
  return 0.5 * (A + A.transpose());
}

}  // namespace candor::testing_support
