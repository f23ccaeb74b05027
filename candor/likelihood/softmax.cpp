// SPDX-License-Identifier: MIT
#include <candor/likelihood/softmax.hpp>

#include <cassert>
#include <cmath>

namespace candor {

Vector softmax(const VectorRef& f) {
  const Vector e = (f.array() - f.maxCoeff()).exp();
  return e / e.sum();
}

// log p = f_y - f_m - log1p(Σ_{k≠m} exp(f_k - f_m)) with m the largest: the sum is a small number
// where p is near 1.
double log_softmax(const VectorRef& f, Index y) {
  assert(0 <= y && y < f.size());
  Index largest = 0;
  const double top = f.maxCoeff(&largest);
  double others = 0.0;
  for (Index k = 0; k < f.size(); ++k) {
    if (k != largest) others += std::exp(f[k] - top);
  }
  return (f[y] - top) - std::log1p(others);
}

// Where π_y is near 1, 1 - π_y is the sum of the others.
Vector log_softmax_gradient(const VectorRef& f, Index y) {
  assert(0 <= y && y < f.size());
  Vector gradient = -softmax(f);
  gradient[y] = 0.0;
  gradient[y] = -gradient.sum();
  return gradient;
}

}  // namespace candor
