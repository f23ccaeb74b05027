// SPDX-License-Identifier: MIT
#include <candor/inference/anderson.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

// x ← M x + c, repelling for every damping in one direction of the plane (an eigenvalue of 1.5).
struct AffineMap {
  Matrix M = (Matrix(2, 2) << 1.5, 0.2, 0.0, 0.3).finished();
  Vector c = (Vector(2) << 1.0, -2.0).finished();
  Vector scale = Vector::Ones(2);

  Vector change_at(const Vector& x) const { return M * x + c - x; }
};

TEST(Anderson, FindsTheFixedPointOfAnAffineMapInThePlaneInThreeProposals) {
  const AffineMap map;
  Anderson accelerator;
  Vector x = Vector::Zero(2);
  for (int proposal = 0; proposal < 3; ++proposal) {
    const Vector next = accelerator.propose(x, map.change_at(x), map.scale, 1.0);
    accelerator.remember(x, map.change_at(x));
    x = next;
  }
  EXPECT_LT(map.change_at(x).norm(), 1e-12);  // exact but for rounding
}

TEST(Anderson, IsAPlainDampedStepWithoutAHistory) {
  const AffineMap map;
  Anderson accelerator;
  accelerator.remember(Vector::Ones(2), map.change_at(Vector::Ones(2)));
  accelerator.restart();
  const Vector origin = Vector::Zero(2);
  const Vector x = accelerator.propose(origin, map.change_at(origin), map.scale, 0.25);
  EXPECT_DOUBLE_EQ(x[0], 0.25 * map.c[0]);
  EXPECT_DOUBLE_EQ(x[1], 0.25 * map.c[1]);
}

}  // namespace
}  // namespace candor
