// SPDX-License-Identifier: MIT
#include <candor/covariance/gram.hpp>
#include <candor/inference/anderson.hpp>

#include <gtest/gtest.h>

namespace candor {
namespace {

// One "row" whose sites follow an affine map of their own: x ← M x + c, repelling for every damping
// in one direction of the plane (an eigenvalue of 1.5).
struct AffineMap {
  Likelihood likelihood = Probit{};
  Observations observations{.y = Vector::Ones(1)};
  Matrix X = Matrix::Zero(1, 1);
  Covariance covariance = Constant{1.0};
  SitePosterior posterior{Gram(covariance, X)};
  EpProblem problem{likelihood, observations, posterior};
  Matrix M = (Matrix(2, 2) << 1.5, 0.2, 0.0, 0.3).finished();
  Vector c = (Vector(2) << 1.0, -2.0).finished();

  EpState at(const Sites& sites) const {
    const Vector x = (Vector(2) << sites.tau, sites.nu).finished();
    const Vector target = M * x + c;
    EpState state;
    state.sites = sites;
    state.target = {target.head(1), target.tail(1)};
    state.mean = Vector::Zero(1);
    state.variance = Vector::Ones(1);
    return state;
  }
  Vector distance(const Sites& sites) const {
    const EpState state = at(sites);
    return (Vector(2) << state.target.tau - sites.tau, state.target.nu - sites.nu).finished();
  }
};

TEST(Anderson, FindsTheFixedPointOfAnAffineMapInThePlaneInThreeProposals) {
  const AffineMap map;
  Anderson accelerator;
  Sites sites = Sites::zero(1);
  for (int proposal = 0; proposal < 3; ++proposal) {
    const EpState state = map.at(sites);
    sites = accelerator.propose(map.problem, state, 1.0);
    accelerator.remember(state);
  }
  EXPECT_LT(map.distance(sites).norm(), 1e-12);  // exact but for rounding
}

TEST(Anderson, IsAPlainDampedStepWithoutAHistory) {
  const AffineMap map;
  Anderson accelerator;
  const EpState state = map.at(Sites::zero(1));
  accelerator.remember(map.at({Vector::Ones(1), Vector::Ones(1)}));
  accelerator.restart();
  const Sites sites = accelerator.propose(map.problem, state, 0.25);
  EXPECT_DOUBLE_EQ(sites.tau[0], 0.25 * map.c[0]);
  EXPECT_DOUBLE_EQ(sites.nu[0], 0.25 * map.c[1]);
}

}  // namespace
}  // namespace candor
