// SPDX-License-Identifier: MIT
#include <candor/learning/em_bound.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

constexpr Index tile = 256;

// v₂ of the likelihood: 0 where the covariance carries the noise.
double likelihood_noise(const Likelihood& likelihood) {
  return std::get<Threshold>(likelihood).noise_variance;
}

void mirror(Matrix& A) {
  for (Index j = 0; j < A.cols(); ++j)
    A.row(j).tail(A.rows() - j - 1) = A.col(j).tail(A.rows() - j - 1);
}

// Lower triangle of C = K + v₂ I.
Matrix noisy_covariance(const Model& model, const TrainingSet& data) {
  const Gram gram(model.covariance, data.X);
  const Index n = gram.size(), tiles = (n + tile - 1) / tile;
  Matrix C(n, n);
  parallel_for(tiles * tiles, data.threads, [&](Index task) {
    const Index i = task / tiles * tile, j = task % tiles * tile;
    if (i < j) return;
    gram.block(i, j, C.block(i, j, std::min(tile, n - i), std::min(tile, n - j)));
  });
  C.diagonal().array() += likelihood_noise(model.likelihood);
  return C;
}

// A B, by strips of columns.
Matrix multiply(const Matrix& A, const Matrix& B, Threads threads) {
  Matrix product(A.rows(), B.cols());
  parallel_for((B.cols() + tile - 1) / tile, threads, [&](Index strip) {
    const Index j = strip * tile, cols = std::min(tile, B.cols() - j);
    blas::gemm(1.0, A, blas::Op::none, B.middleCols(j, cols), blas::Op::none, 0.0,
               product.middleCols(j, cols));
  });
  return product;
}

}  // namespace

NoisyPosterior noisy_posterior(Approximation& q, const Likelihood& likelihood) {
  const double v2 = likelihood_noise(likelihood);
  NoisyPosterior noisy{q.latent_mean + v2 * q.alpha, q.posterior.covariance()};
  mirror(noisy.A);
  if (v2 == 0.0) return noisy;
  const Vector D = (1.0 - v2 * q.site_tau.array()).matrix();
  noisy.A = D.asDiagonal() * noisy.A * D.asDiagonal();
  noisy.A.diagonal() += v2 * D;
  return noisy;
}

EmBound::EmBound(const Coordinates& coordinates, const TrainingSet& data, NoisyPosterior q)
    : coordinates_(coordinates), data_(data), second_moment_(std::move(q.A)) {
  second_moment_.noalias() += q.h * q.h.transpose();
}

std::optional<Height> EmBound::at(const Theta& theta) const {
  const Model model = coordinates_.model_at(theta);
  Matrix C = noisy_covariance(model, data_);
  if (!cholesky_in_place(C, data_.threads)) return std::nullopt;
  const double half_log_determinant = C.diagonal().array().log().sum();
  invert_lower_in_place(C, data_.threads);
  gram_of_lower_in_place(C, data_.threads);
  mirror(C);  // C⁻¹
  const Matrix product = multiply(C, second_moment_, data_.threads);
  return Height{-half_log_determinant - 0.5 * product.trace(), gradient(model, theta, C, product)};
}

// K̄ = ½(C⁻¹(A + h hᵀ)C⁻¹ - C⁻¹), of which `product` holds the first two factors.
Vector EmBound::gradient(const Model& model, const Theta& theta, const Matrix& C_inverse,
                         const Matrix& product) const {
  const Index n = C_inverse.rows();
  const AdjointBlock K_bar = [&](Index i, Index j, MatrixOut out) {
    out = C_inverse.block(i, j, out.rows(), out.cols());
    blas::gemm(0.5, product.middleRows(i, out.rows()), blas::Op::none,
               C_inverse.middleCols(j, out.cols()), blas::Op::none, -0.5, out);
  };
  double trace = 0.0;
  for (Index i = 0; i < n; ++i) {
    trace += 0.5 * (product.row(i).dot(C_inverse.col(i)) - C_inverse(i, i));
  }
  const double in_noise = likelihood_noise(model.likelihood) * trace;  // ∂F/∂log v₂
  return coordinates_.gradient(
      {pullback(model.covariance, data_.X, K_bar, data_.threads), Eigen::Vector2d(0.0, in_noise)},
      theta);
}

}  // namespace candor
