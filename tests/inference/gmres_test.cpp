// SPDX-License-Identifier: MIT
#include <candor/inference/gmres.hpp>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <functional>

namespace candor {
namespace {

using Multiply = std::function<Vector(const Vector&)>;

// Not symmetric, eigenvalues on both sides of 0: what Newton's method on EP meets.
struct System {
  Matrix M = Matrix::Random(30, 30) - 0.5 * Matrix::Identity(30, 30);
  Vector b = Vector::Random(30);
  Multiply multiply = [this](const Vector& x) { return Vector(M * x); };

  double relative_residual(const Vector& x) const { return (b - M * x).norm() / b.norm(); }
};

TEST(Gmres, SolvesASystemInAsManyProductsAsUnknowns) {
  const System system;
  // Conditioning of a random 30×30 matrix is some hundreds: of 16 digits at least 10 are left.
  EXPECT_LT(system.relative_residual(gmres(system.multiply, system.b, 1e-12, 30)), 1e-10);
}

TEST(Gmres, StopsAtTheToleranceAskedFor) {
  const System system;
  int products = 0;
  const Multiply counted = [&](const Vector& x) {
    ++products;
    return Vector(x + 0.1 * system.M * x);
  };
  const Vector x = gmres(counted, system.b, 1e-3, 30);
  EXPECT_LT(products, 15);
  EXPECT_LE((system.b - x - 0.1 * system.M * x).norm(), 1.001e-3 * system.b.norm());
}

TEST(Gmres, ReturnsTheBestOfTheSubspaceWhenItIsTooSmall) {
  const System system;
  const double few = system.relative_residual(gmres(system.multiply, system.b, 1e-12, 5));
  const double more = system.relative_residual(gmres(system.multiply, system.b, 1e-12, 15));
  EXPECT_LT(few, 1.0);
  EXPECT_LT(more, few);
}

TEST(Gmres, EndsEarlyOnAnInvariantSubspace) {
  const Vector b = Vector::Unit(4, 1);
  const Multiply twice = [](const Vector& x) { return Vector(2.0 * x); };
  EXPECT_TRUE(gmres(twice, b, 1e-14, 4).isApprox(0.5 * b));
  EXPECT_TRUE(gmres(twice, Vector::Zero(4), 1e-14, 4).isZero());
}

TEST(Gmres, AMutantThatMultipliesByTheTransposeIsNoticed) {
  const System system;
  const Multiply transposed = [&](const Vector& x) { return Vector(system.M.transpose() * x); };
  EXPECT_GT(system.relative_residual(gmres(transposed, system.b, 1e-12, 30)), 1e-3);
}

}  // namespace
}  // namespace candor
