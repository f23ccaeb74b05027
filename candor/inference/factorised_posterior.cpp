// SPDX-License-Identifier: MIT
#include <candor/inference/factorised_posterior.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/inference/per_class.hpp>

#include <algorithm>

namespace candor {
FactorisedPosterior::FactorisedPosterior(Index classes,
                                         const std::vector<std::shared_ptr<const Matrix>>& K,
                                         Threads threads) {
  for (Index c = 0; c < classes; ++c) blocks_.emplace_back(of_class(K, c), threads);
}

bool FactorisedPosterior::set_precisions(const Matrix& tau) {
  for (Index c = 0; c < latents(); ++c) {
    if (!blocks_[static_cast<std::size_t>(c)].set_precisions(tau.col(c))) return false;
  }
  return true;
}

FactorisedPosterior::Mean FactorisedPosterior::mean(const Matrix& nu) const {
  Mean all{Matrix(rows(), latents()), Matrix(rows(), latents())};
  for (Index c = 0; c < latents(); ++c) {
    auto [alpha, mu] = blocks_[static_cast<std::size_t>(c)].mean(nu.col(c));
    all.alpha.col(c) = alpha;
    all.mu.col(c) = mu;
  }
  return all;
}

Matrix FactorisedPosterior::covariance() {
  Matrix all(rows(), latents());
  for (Index c = 0; c < latents(); ++c) {
    all.col(c) = blocks_[static_cast<std::size_t>(c)].variance();
  }
  return all;
}

Matrix FactorisedPosterior::prior_covariance() const {
  Matrix all(rows(), latents());
  for (Index c = 0; c < latents(); ++c) {
    all.col(c) = blocks_[static_cast<std::size_t>(c)].prior_variance();
  }
  return all;
}

double FactorisedPosterior::log_determinant() const {
  double sum = 0.0;
  for (const SitePosterior& block : blocks_) sum += block.log_determinant();
  return sum;
}

double FactorisedPosterior::jitter() const {
  double largest = 0.0;
  for (const SitePosterior& block : blocks_) largest = std::max(largest, block.jitter());
  return largest;
}

Index FactorisedPosterior::negative_sites() const {
  Index sum = 0;
  for (const SitePosterior& block : blocks_) sum += block.negative_sites();
  return sum;
}

// Classes that share a covariance are added up first: one pass over its columns serves them all.
Vector FactorisedPosterior::pullback(const std::vector<Covariance>& covariances, const Matrix& X,
                                     const Matrix& alpha) const {
  Matrix K_bar = Matrix::Zero(rows(), rows());  // of the classes since the last gradient
  const AdjointBlock summed = [&](Index i, Index j, MatrixOut out) {
    out = K_bar.block(i, j, out.rows(), out.cols());
  };
  Vector all(0);
  for (Index c = 0; c < latents(); ++c) {
    const SitePosterior& q = blocks_[static_cast<std::size_t>(c)];
    q.add_adjoint(alpha.col(c), K_bar);
    if (covariances.size() == 1 && c + 1 < latents()) continue;
    const Vector part = candor::pullback(of_class(covariances, c), X, summed, q.threads());
    const Index before = all.size();
    all.conservativeResize(before + part.size());
    all.tail(part.size()) = part;
    if (c + 1 < latents()) K_bar.setZero();
  }
  return all;
}

Matrix FactorisedPosterior::explained(const std::vector<Matrix>& K_cross) const {
  Matrix all(K_cross.front().cols(), latents());
  for (Index c = 0; c < latents(); ++c) {
    all.col(c) = blocks_[static_cast<std::size_t>(c)].explained_variance(of_class(K_cross, c));
  }
  return all;
}

}  // namespace candor
