// SPDX-License-Identifier: MIT
#include <candor/inference/gmres.hpp>

#include <Eigen/QR>

#include <algorithm>

namespace candor {

Vector gmres(const std::function<Vector(const Vector&)>& multiply, const Vector& b,
             double relative_tolerance, Index max_dimension) {
  const double norm_b = b.norm();
  if (norm_b == 0.0) return Vector::Zero(b.size());
  const Index m = std::min(max_dimension, b.size());
  Matrix basis(b.size(), m + 1);
  Matrix H = Matrix::Zero(m + 1, m);  // Hessenberg: M V_k = V_{k+1} H
  basis.col(0) = b / norm_b;
  Vector y;
  Index k = 0;
  for (double residual = 1.0; k < m && residual > relative_tolerance;) {
    Vector w = multiply(basis.col(k));
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough to stay orthogonal
      const Vector h = basis.leftCols(k + 1).transpose() * w;
      w -= basis.leftCols(k + 1) * h;
      H.col(k).head(k + 1) += h;
    }
    H(k + 1, k) = w.norm();
    const bool exhausted = !(H(k + 1, k) > 1e-14 * H.col(k).norm());
    if (!exhausted) basis.col(k + 1) = w / H(k + 1, k);
    ++k;
    const auto projected = H.topLeftCorner(k + 1, k);
    const Vector first = norm_b * Vector::Unit(k + 1, 0);
    y = projected.householderQr().solve(first);
    residual = (first - projected * y).norm() / norm_b;
    if (exhausted) break;
  }
  return basis.leftCols(k) * y;
}

}  // namespace candor
