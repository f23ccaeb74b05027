// SPDX-License-Identifier: MIT
#include <candor/audit/reasons.hpp>

#include <candor/covariance/cross.hpp>
#include <candor/inference/site_posterior.hpp>
#include <candor/model/posterior.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace candor {
namespace {

constexpr Index block_rows = 64;

// k(x, z)/√(k(x, x) k(z, z)) for a block of rows against all of them.
Matrix correlations(const Covariance& covariance, const Matrix& block, const Matrix& X,
                    Threads threads) {
  Matrix K = cross(covariance, block, X, threads);  // b×n
  const Vector left = prior_variance(covariance, block).cwiseSqrt();
  const Vector right = prior_variance(covariance, X).cwiseSqrt();
  for (Index j = 0; j < K.cols(); ++j) {
    for (Index i = 0; i < K.rows(); ++i) {
      const double scale = left[i] * right[j];
      K(i, j) = scale > 0.0 ? K(i, j) / scale : 0.0;
    }
  }
  return K;
}

Matrix similarities(const Classifier& classifier, const Matrix& block, Threads threads) {
  Matrix sum = Matrix::Zero(block.rows(), classifier.X.rows());
  const auto questions = static_cast<double>(classifier.questions.size());
  for (const Question& question : classifier.questions) {
    for (const Process& process : question.processes) {
      sum += process.weight / questions *
             correlations(process.covariance, block, classifier.X, threads);
    }
  }
  return sum;
}

std::vector<Near> nearest_of(const Vector& similarity, Index self, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(similarity.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::erase(order, self);
  const auto kept = std::min(static_cast<std::size_t>(count), order.size());
  const auto nearer = [&](Index a, Index b) {
    return similarity[a] != similarity[b] ? similarity[a] > similarity[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    nearer);
  std::vector<Near> near;
  for (std::size_t k = 0; k < kept; ++k) near.push_back({order[k], similarity[order[k]]});
  return near;
}

// 1/(1/σ² - τ) over k, where q without the site is proper; 1 where nothing is left to hold the row.
Vector unexplained(const Process& process, const Classifier& classifier, Threads threads) {
  SitePosterior posterior = posterior_of(classifier, process, threads).posterior;
  const Vector variance = posterior.variance(), prior = posterior.prior_variance();
  const Vector& tau = posterior.tau();
  Vector share(variance.size());
  for (Index i = 0; i < share.size(); ++i) {
    const double precision = 1.0 / variance[i] - tau[i];
    share[i] = precision * prior[i] > 1.0 ? 1.0 / (precision * prior[i]) : 1.0;
  }
  return share;
}

// The same of a joint question, over the row's latent values together.
Vector unexplained_jointly(const Process& process, const Classifier& classifier, Threads threads) {
  Approximation approximation = class_posterior_of(classifier, process, threads);
  return std::visit(
      [&](auto& q) {
        const Matrix covariance = q.covariance(), prior = q.prior_covariance();
        // All copies of the row are left out.
        const Matrix tau = approximation.site_tau.reshaped(q.rows(), q.site_size());
        const Vector zero = Vector::Zero(q.latents());
        Vector share(q.rows());
        for (Index i = 0; i < share.size(); ++i) {
          const RowGaussian left = cavity(q, {zero, covariance.row(i)}, {zero, prior.row(i)},
                                          tau.row(i).transpose(), zero);
          // An improper cavity: nothing is left to hold the row.
          share[i] = left.covariance.size() == 0 ? 1.0
                                                 : total_variance(q, left.covariance) /
                                                       total_variance(q, prior.row(i).transpose());
        }
        return Vector(share.cwiseMin(1.0));
      },
      approximation.class_posterior.value());
}

}  // namespace

std::vector<std::vector<Near>> nearest_rows(const Classifier& classifier,
                                            const std::vector<Index>& asked, Index count,
                                            Threads threads) {
  std::vector<std::vector<Near>> nearest;
  const auto total = static_cast<Index>(asked.size());
  for (Index first = 0; first < total; first += block_rows) {
    const Index rows = std::min(block_rows, total - first);
    Matrix block(rows, classifier.X.cols());
    for (Index i = 0; i < rows; ++i) {
      block.row(i) = classifier.X.row(asked[static_cast<std::size_t>(first + i)]);
    }
    const Matrix similarity = similarities(classifier, block, threads);
    for (Index i = 0; i < rows; ++i) {
      nearest.push_back(nearest_of(similarity.row(i).transpose(),
                                   asked[static_cast<std::size_t>(first + i)], count));
    }
  }
  return nearest;
}

Vector novelty(const Classifier& classifier, Threads threads) {
  Vector sum = Vector::Zero(classifier.X.rows());
  const auto questions = static_cast<double>(classifier.questions.size());
  for (const Question& question : classifier.questions) {
    for (const Process& process : question.processes) {
      const auto share = question.is_joint() ? unexplained_jointly : unexplained;
      sum += process.weight / questions * share(process, classifier, threads);
    }
  }
  return sum.cwiseMin(1.0);  // weights sum to 1 up to rounding
}

}  // namespace candor
