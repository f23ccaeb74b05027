// SPDX-License-Identifier: MIT
// The Matérn covariance as a function of u² = 2ν R², for any smoothness 0 < ν ≤ 500:
//
//   M_ν(u) = 2^(1-ν)/Γ(ν) u^ν K_ν(u),   M_ν(0) = 1                  [RW06, eq. 4.14]
//
// Accurate to about 1e-13 relative from u = 0 to where it underflows.
#pragma once

namespace candor {

struct MaternProfile {
  double value;  // M_ν
  double slope;  // dM_ν/d(u²) < 0; 0 at u = 0, where it is infinite for ν ≤ 1
};

[[nodiscard]] MaternProfile matern_profile(double smoothness, double u_squared);

}  // namespace candor
