// SPDX-License-Identifier: MIT
// Paths of a Gaussian with steps: shares of the orthants of three coordinates in closed form, and
// what Hamiltonian dynamics must be: reversible, and without steps a rotation.
#include <candor/inference/stepped_gaussian.hpp>
#include <candor/linalg/random.hpp>

#include <Eigen/Cholesky>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace candor {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

const Matrix three{{1.0, 0.6, -0.3}, {0.6, 2.0, 0.4}, {-0.3, 0.4, 0.5}};
const Vector some_y{{1.0, -1.0, 1.0}};

Vector draw(const Matrix& C, Random& random) {
  return C.llt().matrixL() * random.normals(C.rows(), 1);
}

// P(s_i u_i > 0 for all i) = 1/8 + Σ_{i<j} asin(s_i s_j ρ_ij)/4π of three coordinates.
double orthant(const Matrix& C, const Vector& s) {
  double sum = 0.125;
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double rho = C(i, j) / std::sqrt(C(i, i) * C(j, j));
      sum += std::asin(s[i] * s[j] * rho) / (4.0 * std::numbers::pi);
    }
  }
  return sum;
}

Vector signs(int corner) {
  Vector s(3);
  for (int i = 0; i < 3; ++i) s[i] = (corner >> i) % 2 == 0 ? 1.0 : -1.0;
  return s;
}

Vector expected_shares(const Vector& rise) {
  Vector share(8);
  for (int corner = 0; corner < 8; ++corner) {
    const Vector s = signs(corner);
    const Vector right = s.cwiseEqual(some_y).cast<double>();
    share[corner] = orthant(three, s) * std::exp(right.dot(rise) - rise.sum());
  }
  return share / share.sum();
}

Vector found_shares(const SteppedGaussian& gaussian, const Vector& rise, Index moves) {
  Random random(1);
  Vector u = some_y, count = Vector::Zero(8);
  for (Index k = 0; k < moves; ++k) {
    Vector w = draw(three, random);
    gaussian.move(u, w, rise);
    int corner = 0;
    for (int i = 0; i < 3; ++i) corner += u[i] > 0.0 ? 0 : 1 << i;
    ++count[corner];
  }
  return count / static_cast<double>(moves);
}

// Successive draws are nearly independent: twice the binomial error stands for what is left.
double worst_ratio(const Vector& found, const Vector& expected, Index moves) {
  const Eigen::ArrayXd error =
      (expected.array() * (1.0 - expected.array()) / static_cast<double>(moves)).sqrt();
  return ((found - expected).array().abs() / (2.0 * error + 1e-12)).maxCoeff();
}

// Six binomial errors of the worst of eight shares: one seed in a hundred million.
constexpr double errors_allowed = 3.0;

// A mutant: paths that know the variances of the coordinates and take them for independent.
SteppedGaussian independent_mutant(const Matrix& C, const Vector& y) {
  return {C.diagonal().asDiagonal().toDenseMatrix(), y};
}

// Fifty coordinates with steps of all heights.
struct Many {
  explicit Many(std::uint64_t seed) : random(seed) {
    const Matrix A = random.normals(n, n);
    C = A * A.transpose() + 0.1 * Matrix::Identity(n, n);
    y = random.normals(n, 1).cwiseSign();
    rise = 3.0 * random.normals(n, 1).cwiseAbs();
    rise.head(5).setZero();
    rise.segment(5, 5).setConstant(60.0);
  }

  static constexpr Index n = 50;
  Random random;
  Matrix C;
  Vector y, rise;
};

// Some 30 steps are met on a path, each with a rounding of 1e-16 times the size of what is compared
// (energies of 50 to 400); steps that are barely climbed enlarge that a hundredfold.
constexpr double rounding = 1e-11;

TEST(SteppedGaussian, VisitsOrthantsAsOftenAsItMust) {
  constexpr Index moves = 40'000;
  for (const Vector& rise :
       {Vector{{0.0, 0.0, 0.0}}, Vector{{0.7, 2.0, 0.1}}, Vector{{3.0, 0.0, 1.5}}}) {
    const Vector found = found_shares(SteppedGaussian(three, some_y), rise, moves);
    EXPECT_LT(worst_ratio(found, expected_shares(rise), moves), errors_allowed) << rise.transpose();
  }
  const Vector rise{{0.7, 2.0, 0.5}}, expected = expected_shares(rise);
  const Vector higher = found_shares(SteppedGaussian(three, some_y), 1.1 * rise, moves);
  EXPECT_GT(worst_ratio(higher, expected, moves), errors_allowed) << "steps a tenth higher";
  const Vector mutant = found_shares(independent_mutant(three, some_y), rise, moves);
  EXPECT_GT(worst_ratio(mutant, expected, moves), errors_allowed);
}

TEST(SteppedGaussian, KeepsToItsSideOfAStepThatCannotBeClimbed) {
  const SteppedGaussian gaussian(three, some_y);
  const Vector rise = Vector::Constant(3, impossible);
  Random random(2);
  Vector u = some_y, sum = Vector::Zero(3);
  constexpr Index moves = 20'000;
  for (Index k = 0; k < moves; ++k) {
    Vector w = draw(three, random);
    gaussian.move(u, w, rise);
    EXPECT_GT((u.array() * some_y.array()).minCoeff(), 0.0);
    sum += u;
  }
  // By rejection, from draws of the Gaussian.
  Vector exact = Vector::Zero(3), squares = Vector::Zero(3);
  double kept = 0.0;
  for (Index k = 0; k < 400'000; ++k) {
    const Vector x = draw(three, random);
    if ((x.array() * some_y.array()).minCoeff() < 0.0) continue;
    exact += x;
    squares += x.cwiseAbs2();
    ++kept;
  }
  exact /= kept;
  const Eigen::ArrayXd variance = squares.array() / kept - exact.array().square();
  // Moves count for half as many independent draws.  Four errors, three coordinates: one seed in
  // five thousand.
  const Eigen::ArrayXd error = (variance * (1.0 / kept + 2.0 / static_cast<double>(moves))).sqrt();
  EXPECT_LT(((sum / static_cast<double>(moves) - exact).array().abs() / error).maxCoeff(), 4.0);
}

TEST(SteppedGaussian, CrossesOverFromWhatIsImpossible) {
  const SteppedGaussian gaussian(three, some_y);
  const Vector rise = Vector::Constant(3, impossible);
  Random random(3);
  Vector u = -some_y;
  for (Index k = 0; k < 50; ++k) {
    const Vector before = u;
    Vector w = draw(three, random);
    gaussian.move(u, w, rise);
    for (Index i = 0; i < 3; ++i) {
      EXPECT_FALSE(before[i] * some_y[i] > 0.0 && u[i] * some_y[i] < 0.0) << "and back, row " << i;
    }
  }
  EXPECT_GT((u.array() * some_y.array()).minCoeff(), 0.0);
}

// u(π/2) = w and u'(π/2) = -u, to rounding.
TEST(SteppedGaussian, RotatesWhereThereAreNoSteps) {
  const SteppedGaussian gaussian(three, some_y);
  const Vector rise = Vector::Zero(3);
  Vector u{{0.3, -0.2, 0.9}}, w{{-1.0, 0.5, 0.1}};
  const Vector u_before = u, w_before = w;
  gaussian.move(u, w, rise);
  EXPECT_LT((u - w_before).norm(), 1e-14);
  EXPECT_LT((w + u_before).norm(), 1e-14);
}

// Back along the path with the velocity turned round.
TEST(SteppedGaussian, GoesBackTheWayItCame) {
  Many many(4);
  const SteppedGaussian gaussian(many.C, many.y);
  for (int path = 0; path < 20; ++path) {
    Vector u = draw(many.C, many.random), w = draw(many.C, many.random);
    const Vector u_before = u, w_before = w;
    const Index met = gaussian.move(u, w, many.rise);
    EXPECT_GT(met, 0);
    EXPECT_LT(met, gaussian.most_meetings()) << "a path that is taken back proves nothing";
    w = -w;
    EXPECT_EQ(gaussian.move(u, w, many.rise), met);
    EXPECT_LT((u - u_before).norm(), rounding * u_before.norm());
    EXPECT_LT((w + w_before).norm(), rounding * w_before.norm());
  }
}

// ½ uᵀΓ⁻¹u + ½ u̇ᵀΓ⁻¹u̇ - Σ rise_i [y_i u_i > 0] stays what it was.
TEST(SteppedGaussian, KeepsItsEnergy) {
  Many many(5);
  const auto factor = many.C.llt();
  const auto energy = [&](const Vector& u, const Vector& w) {
    const double right = (u.array() * many.y.array() > 0.0).select(many.rise.array(), 0.0).sum();
    return 0.5 * u.dot(factor.solve(u)) + 0.5 * w.dot(factor.solve(w)) - right;
  };
  // By how much a path of this Gaussian changes it.
  const auto change = [&](const SteppedGaussian& gaussian) {
    Vector u = draw(many.C, many.random), w = draw(many.C, many.random);
    const double before = energy(u, w);
    const Index met = gaussian.move(u, w, many.rise);
    EXPECT_GT(met, 0);
    EXPECT_LT(met, gaussian.most_meetings()) << "a path that is taken back proves nothing";
    return std::abs(energy(u, w) - before);
  };
  const SteppedGaussian gaussian(many.C, many.y);
  for (int path = 0; path < 50; ++path) EXPECT_LT(change(gaussian), rounding);
  EXPECT_GT(change(independent_mutant(many.C, many.y)), rounding);
}

// Two coordinates that are nearly one, held apart: in a wedge of 1e-6 between their steps a path
// meets these a million times.
TEST(SteppedGaussian, TakesBackAPathThatMeetsTooManySteps) {
  const double rho = 1.0 - 1e-12;
  const Matrix C{{1.0, rho}, {rho, 1.0}};
  const SteppedGaussian gaussian(C, Vector{{1.0, -1.0}});
  const Vector rise = Vector::Constant(2, impossible);
  Vector u{{1e-9, -1e-9}}, w{{-1.0, -1.0}};
  const Vector u_before = u, w_before = w;
  EXPECT_EQ(gaussian.move(u, w, rise), gaussian.most_meetings());
  EXPECT_EQ(u, u_before);
  EXPECT_EQ(w, w_before);
}

}  // namespace
}  // namespace candor
