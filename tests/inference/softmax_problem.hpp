// SPDX-License-Identifier: MIT
// Small tables of several classes for the laws of softmax Laplace.
#pragma once

#include "zoo.hpp"

#include <candor/covariance/log_parameters.hpp>
#include <candor/inference/softmax_laplace.hpp>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace candor {

struct SoftmaxProblem {
  std::string name;
  std::vector<Covariance> covariances;
  Matrix X;
  std::vector<int> labels;
  int classes = 3;
};
inline std::ostream& operator<<(std::ostream& out, const SoftmaxProblem& problem) {
  return out << problem.name;
}

// Iterates until rounding stops it, so that laws may be checked tightly.
inline constexpr SoftmaxLaplace tight{.tolerance = 1e-13, .max_iterations = 40};

inline SoftmaxApproximation solve(const SoftmaxProblem& p, Threads threads = {1}) {
  return infer(tight, p.covariances, p.X, p.labels, p.classes, threads);
}

// Sectors of the plane, with a few labels that contradict their neighbours.
inline SoftmaxProblem sectors(Index n, int classes, unsigned seed) {
  const Matrix X = random_matrix(n, 2, seed);
  std::vector<int> labels;
  for (Index i = 0; i < n; ++i) {
    const double turn = std::atan2(X(i, 1), X(i, 0)) / (2.0 * std::numbers::pi) + 0.5;
    const int sector = std::min(static_cast<int>(turn * classes), classes - 1);
    labels.push_back(i % 7 == 3 ? (sector + 1) % classes : sector);
  }
  const Covariance k = 2.5 * Covariance(SquaredExponential{.lengthscale = Vector{{0.8, 1.3}}}) +
                       Constant{.variance = 0.3} + Noise{.variance = 0.05};
  return {std::to_string(classes) + " sectors", {k}, X, labels, classes};
}

// The same table where every class has its own covariance.
inline SoftmaxProblem with_own_covariances(SoftmaxProblem p) {
  const std::vector<Covariance> kinds{
      1.5 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.9)}),
      2.0 * Covariance(Matern{.smoothness = 1.5, .lengthscale = Vector{{1.1, 0.6}}}) +
          Noise{.variance = 0.1},
      0.7 * Covariance(Linear{}) + Constant{.variance = 0.5}};
  p.covariances.clear();
  for (int c = 0; c < p.classes; ++c) {
    p.covariances.push_back(kinds[static_cast<std::size_t>(c) % kinds.size()]);
  }
  p.name += ", a covariance each";
  return p;
}

inline SoftmaxProblem with_an_empty_class(SoftmaxProblem p) {
  ++p.classes;
  p.name += ", and a class without rows";
  return p;
}

inline std::vector<SoftmaxProblem> softmax_zoo() {
  return {sectors(14, 2, 5), sectors(17, 3, 7), with_own_covariances(sectors(15, 3, 8)),
          with_an_empty_class(sectors(12, 3, 9)), with_own_covariances(sectors(16, 5, 10))};
}

// K of all classes, Cn×Cn, class after class.
inline Matrix dense_prior(const SoftmaxProblem& p) {
  const Index n = p.X.rows();
  Matrix K = Matrix::Zero(n * p.classes, n * p.classes);
  for (Index c = 0; c < p.classes; ++c) {
    const std::size_t which = p.covariances.size() == 1 ? 0 : static_cast<std::size_t>(c);
    K.block(c * n, c * n, n, n) = gram_matrix(p.covariances[which], p.X);
  }
  return K;
}

// W = D - ΠΠᵀ in the same order.
inline Matrix dense_curvature(const Matrix& pi) {
  const Index n = pi.rows(), C = pi.cols();
  Matrix W = Matrix::Zero(n * C, n * C);
  for (Index i = 0; i < n; ++i) {
    for (Index a = 0; a < C; ++a) {
      for (Index b = 0; b < C; ++b) {
        W(a * n + i, b * n + i) = (a == b ? pi(i, a) : 0.0) - pi(i, a) * pi(i, b);
      }
    }
  }
  return W;
}

inline Vector stacked(const Matrix& columns) { return columns.reshaped(); }

}  // namespace candor
