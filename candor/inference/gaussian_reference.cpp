// SPDX-License-Identifier: MIT
#include <candor/inference/gaussian_reference.hpp>

#include <candor/linalg/cholesky.hpp>

#include <utility>

namespace candor {

GaussianReference reference_of_prior(Matrix L) {
  const Vector zero = Vector::Zero(L.rows());
  return {.tau = zero, .nu = zero, .mean = zero, .factor = std::move(L), .log_Z = 0.0};
}

std::optional<GaussianReference> reference_of_sites(const Matrix& L, const Vector& tau,
                                                    const Vector& nu, Threads threads) {
  const Index n = L.rows();
  Matrix C = Matrix::Identity(n, n);
  blas::gemm(1.0, L, blas::Op::transpose, tau.asDiagonal() * L, blas::Op::none, 1.0, C);
  if (!cholesky_in_place(C, threads)) return std::nullopt;
  Matrix S_transposed = L.transpose();
  solve_lower_in_place(C, blas::Op::none, S_transposed);  // C⁻¹ Lᵀ
  GaussianReference reference{.tau = tau, .nu = nu, .mean = {}, .factor = S_transposed.transpose()};
  reference.mean = reference.factor * (S_transposed * nu);
  reference.log_Z = 0.5 * nu.dot(reference.mean) - C.diagonal().array().log().sum();
  return reference;
}

ReferenceDraws::ReferenceDraws(const GaussianReference& reference, Random random)
    : reference_(&reference),
      random_(random),
      block_(reference.mean.size(), at_once),
      used_(at_once) {}

void ReferenceDraws::refill() {
  const Matrix Z = random_.normals(block_.rows(), at_once);
  blas::gemm(1.0, reference_->factor, blas::Op::none, Z, blas::Op::none, 0.0, block_);
  used_ = 0;
}

}  // namespace candor
