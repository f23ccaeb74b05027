// SPDX-License-Identifier: MIT
#include <candor/inference/class_loo.hpp>

#include <candor/likelihood/robust_max_coupled.hpp>

#include <cassert>
#include <cmath>

namespace candor {

Matrix p_class_loo(const Approximation& approximation, const RobustMax& likelihood) {
  const Index n = approximation.log_loo.size(), C = likelihood.classes;
  const auto by_row = [n](const Vector& x) { return Matrix(x.reshaped(n, x.size() / n)); };
  const Matrix mean = by_row(approximation.cavity_mean);
  const Matrix covariance = by_row(approximation.cavity_variance);
  Matrix p(n, C);
  for (Index i = 0; i < n; ++i) {
    const Vector m = mean.row(i), V = covariance.row(i);
    p.row(i) = mean.cols() == C ? class_probabilities(likelihood, m, V)
                                : class_probabilities_coupled(likelihood, m, unpacked(V, C - 1));
  }
  return p;
}

Vector p_random(const Approximation& approximation, const RobustMax& likelihood,
                const Observations& observations) {
  assert(observations.confusion.size() == 0);
  const auto others = static_cast<double>(likelihood.classes - 1);
  Vector p(approximation.log_loo.size());
  for (Index i = 0; i < p.size(); ++i) {
    const double known = observations.row(i).known_flip_rate;
    const double rate = std::isnan(known) ? likelihood.flip_probability : known;
    p[i] = rate / others * std::exp(-approximation.log_loo[i]);
  }
  return p;
}

}  // namespace candor
