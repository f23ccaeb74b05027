// SPDX-License-Identifier: MIT
#include <candor/inference/coupled_posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/huge_pages.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <utility>

namespace candor {

Matrix unpacked(const VectorRef& lower, Index size) {
  Matrix full(size, size);
  for (Index j = 0, k = 0; j < size; ++j) {
    for (Index i = j; i < size; ++i, ++k) full(i, j) = full(j, i) = lower[k];
  }
  return full;
}

Vector packed(const Matrix& symmetric) {
  const Index size = symmetric.rows();
  Vector lower(size * (size + 1) / 2);
  for (Index j = 0, k = 0; j < size; ++j) {
    for (Index i = j; i < size; ++i, ++k) lower[k] = 0.5 * (symmetric(i, j) + symmetric(j, i));
  }
  return lower;
}

CoupledPosterior::CoupledPosterior(Index classes, std::shared_ptr<const Matrix> K, Threads threads)
    : K_(std::move(K)), latents_(classes - 1), threads_(threads) {}

Matrix CoupledPosterior::rotation_of(Index row) const {
  return U_.row(row).reshaped(latents_, latents_).transpose();
}

// K_ij U_i U_jᵀ, a block for each pair of latents.
void CoupledPosterior::rotate_prior() {
  const Index n = rows(), D = latents_;
  const auto prior = std::make_shared<Matrix>(D * n, D * n);
  prefer_huge_pages(*prior);
  parallel_for(n, threads_, [&](Index j) {
    Vector angle(n);  // [U_i U_jᵀ]_ab of all i
    for (Index b = 0; b < D; ++b) {
      for (Index a = 0; a < D; ++a) {
        angle.setZero();
        for (Index d = 0; d < D; ++d) angle += U(b, d)[j] * U(a, d);
        prior->col(b * n + j).segment(a * n, n) = K_->col(j).cwiseProduct(angle);
      }
    }
  });
  rotated_ = SitePosterior(prior, threads_);
}

bool CoupledPosterior::set_precisions(const Matrix& T) {
  if (!T.allFinite()) return false;
  U_.resize(rows(), latents_ * latents_);
  Vector t(latents_ * rows());
  for (Index i = 0; i < rows(); ++i) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(unpacked(T.row(i).transpose(), latents_));
    // Columns of eigenvectors() are rows of U_i.
    U_.row(i) = eigen.eigenvectors().reshaped().transpose();
    for (Index d = 0; d < latents_; ++d) t[d * rows() + i] = eigen.eigenvalues()[d];
  }
  rotate_prior();
  return rotated_.set_precisions(t);
}

Vector CoupledPosterior::rotated(const Matrix& x) const {
  Vector result(latents_ * rows());
  for (Index i = 0; i < rows(); ++i) {
    const Vector there = rotation_of(i) * x.row(i).transpose();
    for (Index d = 0; d < latents_; ++d) result[d * rows() + i] = there[d];
  }
  return result;
}

Matrix CoupledPosterior::rotated_back(const Vector& x) const {
  Matrix result(rows(), latents_);
  for (Index i = 0; i < rows(); ++i) {
    Vector there(latents_);
    for (Index d = 0; d < latents_; ++d) there[d] = x[d * rows() + i];
    result.row(i) = there.transpose() * rotation_of(i);
  }
  return result;
}

CoupledPosterior::Mean CoupledPosterior::mean(const Matrix& nu) const {
  const auto [alpha, mu] = rotated_.mean(rotated(nu));
  return {rotated_back(alpha), rotated_back(mu)};
}

Matrix CoupledPosterior::covariance() {
  const Vector variance = rotated_.variance();
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < rows(); ++i) {
    for (Index b = 0; b < latents_; ++b) {
      for (Index a = b + 1; a < latents_; ++a) pairs.emplace_back(a * rows() + i, b * rows() + i);
    }
  }
  const Vector between = rotated_.covariance_of(pairs);
  Matrix all(rows(), site_size());
  Index next = 0;
  for (Index i = 0; i < rows(); ++i) {
    Matrix A(latents_, latents_);
    for (Index b = 0; b < latents_; ++b) {
      A(b, b) = variance[b * rows() + i];
      for (Index a = b + 1; a < latents_; ++a) A(a, b) = A(b, a) = between[next++];
    }
    const Matrix U_i = rotation_of(i);
    all.row(i) = packed(U_i.transpose() * A * U_i).transpose();
  }
  return all;
}

Matrix CoupledPosterior::prior_covariance() const {
  constexpr double smallest = 1e-150;  // as of SitePosterior
  Matrix all(rows(), site_size());
  for (Index i = 0; i < rows(); ++i) {
    all.row(i) = packed(std::max((*K_)(i, i), smallest) * Matrix::Identity(latents_, latents_));
  }
  return all;
}

// ∂L/∂K_ij = Σ_ab ∂L/∂[K_ij U_i U_jᵀ]_ab (U_i U_jᵀ)_ab.
Vector CoupledPosterior::pullback(const std::vector<Covariance>& covariances, const Matrix& X,
                                  const Matrix& alpha) const {
  const Index n = rows();
  Matrix K_bar = Matrix::Zero(latents_ * n, latents_ * n);
  rotated_.add_adjoint(rotated(alpha), K_bar);
  const AdjointBlock contracted = [&](Index first_row, Index first_col, MatrixOut out) {
    out.setZero();
    for (Index c = 0; c < out.cols(); ++c) {
      const Index j = first_col + c;
      for (Index b = 0; b < latents_; ++b) {
        for (Index a = 0; a < latents_; ++a) {
          for (Index r = 0; r < out.rows(); ++r) {
            const Index i = first_row + r;
            double angle = 0.0;
            for (Index d = 0; d < latents_; ++d) angle += U(a, d)[i] * U(b, d)[j];
            out(r, c) += angle * K_bar(a * n + i, b * n + j);
          }
        }
      }
    }
  };
  return candor::pullback(covariances.front(), X, contracted, threads_);
}

// Columns k* U_i direction: the covariance of new rows' latent values in this direction with the
// rotated ones of the training rows.
Matrix CoupledPosterior::rotated_cross(const Matrix& K_cross, const Vector& direction) const {
  Matrix result(latents_ * rows(), K_cross.cols());
  for (Index d = 0; d < latents_; ++d) {
    Vector share = Vector::Zero(rows());
    for (Index e = 0; e < latents_; ++e) share += direction[e] * U(d, e);
    result.middleRows(d * rows(), rows()) = share.asDiagonal() * K_cross;
  }
  return result;
}

// Off the diagonal by polarisation: vᵀWw = ½[(v+w)ᵀW(v+w) - vᵀWv - wᵀWw].
Matrix CoupledPosterior::explained(const std::vector<Matrix>& K_cross) const {
  const Index t = K_cross.front().cols();
  const auto along = [&](const Vector& direction) {
    return rotated_.explained_variance(rotated_cross(K_cross.front(), direction));
  };
  Matrix squares(t, latents_), all(t, site_size());
  for (Index d = 0; d < latents_; ++d) squares.col(d) = along(Vector::Unit(latents_, d));
  for (Index b = 0, k = 0; b < latents_; ++b) {
    all.col(k++) = squares.col(b);
    for (Index a = b + 1; a < latents_; ++a) {
      const Vector sum = along(Vector::Unit(latents_, a) + Vector::Unit(latents_, b));
      all.col(k++) = 0.5 * (sum - squares.col(a) - squares.col(b));
    }
  }
  return all;
}

}  // namespace candor
