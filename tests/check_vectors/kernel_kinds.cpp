// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include <candor/covariance/cross.hpp>
#include <candor/covariance/gram.hpp>
#include <candor/covariance/log_parameters.hpp>

namespace check_vectors {
namespace {

using candor::Covariance;
using candor::Index;
using candor::Matrix;
using candor::MatrixOut;
using candor::Vector;

Matrix train_covariance(const Covariance& covariance, const Matrix& X) {
  Matrix C(X.rows(), X.rows());
  candor::Gram(covariance, X).block(0, 0, C);
  return C;
}

// ∂C_ij/∂log p for every parameter p, by pulling back the adjoint that picks out entry (i, j).
Vector entry_gradient(const Covariance& covariance, const Matrix& X, Index i, Index j) {
  return candor::pullback(covariance, X, [&](Index row, Index col, MatrixOut out) {
    out.setZero();
    const auto add = [&](Index a, Index b) {
      const bool inside = a >= row && a < row + out.rows() && b >= col && b < col + out.cols();
      if (inside) out(a - row, b - col) += 0.5;
    };
    add(i, j);
    add(j, i);
  });
}

// One matrix per candor parameter.
std::vector<Matrix> covariance_gradient(const Covariance& covariance, const Matrix& X) {
  const Index n = X.rows();
  std::vector<Matrix> gradient(static_cast<std::size_t>(candor::log_parameter_count(covariance)),
                               Matrix::Zero(n, n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const Vector entry = entry_gradient(covariance, X, i, j);
      for (std::size_t p = 0; p < gradient.size(); ++p) {
        gradient[p](i, j) = entry[static_cast<Index>(p)];
      }
    }
  }
  return gradient;
}

Matrix derivative(const Hyperparameters& hyp, const std::string& name,
                  const std::vector<Matrix>& gradient, Index n) {
  const auto slot = hyp.slots.find(name);
  if (slot == hyp.slots.end()) return Matrix::Zero(n, n);
  return slot->second.factor * gradient[static_cast<std::size_t>(slot->second.index)];
}

}  // namespace

void check_kernel(Case& c) {
  const Matrix X = c.problem.X();
  const Hyperparameters hyp = read_hyperparameters(c.problem["hyp"], X.cols());
  const Covariance covariance = hyp.with_noise();
  const std::vector<Matrix> gradient = covariance_gradient(covariance, X);

  check_fields(c, [&](const Field& field, const Node& want) {
    const std::string& name = field.back();
    if (field.size() == 2 && field.front() == "dC_dlog" && hyp.names(name)) {
      c.report.compare(field, want, derivative(hyp, name, gradient, X.rows()));
    } else if (name == "C_train") {
      c.report.compare(field, want, train_covariance(covariance, X));
    } else if (name == "C_cross") {
      c.report.compare(field, want, candor::cross(covariance, X, c.problem.X_test()));
    } else if (name == "prior_var_test_noise_free") {
      c.report.compare(field, want, candor::prior_variance(covariance, c.problem.X_test()));
    } else if (name == "prior_var_test_noisy") {
      const Vector noise_free = candor::prior_variance(covariance, c.problem.X_test());
      c.report.compare(field, want, Vector(noise_free.array() + hyp.noise_variance));
    } else {
      return false;
    }
    return true;
  });
}

}  // namespace check_vectors
