// SPDX-License-Identifier: MIT
// The residual of EP's fixed-point equations, recomputed from the sites alone by algebra that
// shares nothing with the library: A = (I + K T)⁻¹ K by LU in extended precision, textbook moments.
#pragma once

#include <candor/likelihood/threshold.hpp>
#include <candor/linalg/types.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace candor::bench {

inline double recomputed_residual(const Matrix& K, const Vector& y, const Threshold& likelihood,
                                  const Vector& tau, const Vector& nu) {
  using Real = long double;
  using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  const Index n = y.size();
  const RealMatrix K_long = K.cast<Real>();
  const RealMatrix system = RealMatrix::Identity(n, n) + K_long * tau.cast<Real>().asDiagonal();
  const RealMatrix A = system.partialPivLu().solve(K_long);
  const RealVector mean = A * nu.cast<Real>();
  const Real epsilon = likelihood.flip_probability, v2 = likelihood.noise_variance;
  Real worst = 0.0L;
  for (Index i = 0; i < n; ++i) {
    const Real cavity_tau = 1.0L / A(i, i) - tau[i];
    if (!(cavity_tau > 0.0L)) return std::numeric_limits<double>::infinity();
    const Real lambda = 1.0L / cavity_tau, mu = lambda * (mean[i] / A(i, i) - nu[i]);
    const Real s = lambda + v2, z = y[i] * mu / std::sqrt(s);
    const Real Phi = 0.5L * std::erfc(-z / std::sqrt(2.0L));
    const Real phi =
        std::exp(-0.5L * z * z) / std::sqrt(2.0L * 3.14159265358979323846264338327950288L);
    const Real r = (1.0L - 2.0L * epsilon) * phi / (epsilon + (1.0L - 2.0L * epsilon) * Phi);
    const Real slope = y[i] * r / std::sqrt(s), beta = r * (r + z) / s;
    const Real new_tau = beta / (1.0L - lambda * beta);
    const Real new_nu = (slope + mu * beta) / (1.0L - lambda * beta);
    worst = std::max({worst, std::abs(new_tau - tau[i]) * A(i, i),
                      std::abs(new_nu - nu[i]) * std::sqrt(A(i, i))});
  }
  return static_cast<double>(worst);
}

}  // namespace candor::bench
