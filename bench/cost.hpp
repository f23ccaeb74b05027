// SPDX-License-Identifier: MIT
// CPU time of one thread, and c, the unit in which costs are stated: one n = 2000 Cholesky
// factorisation with the kernels in use, measured beside what it is compared with, so that a busy
// machine slows both.
#pragma once

#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/types.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>
#include <stdexcept>

namespace candor::bench {

inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double seconds_of(const std::function<void()>& body) {
  const double start = cpu_seconds();
  body();
  return cpu_seconds() - start;
}

// Measures c: the faster of dpotrf and our own Cholesky, best of three.
class UnitOfCost {
 public:
  UnitOfCost() : A_(Matrix::Identity(n, n) * static_cast<double>(n)) {
    const Matrix X = Matrix::Random(n, n);
    blas::syrk(1.0, X, blas::Op::none, 1.0, A_);
  }

  [[nodiscard]] double seconds() const {
    double best = std::numeric_limits<double>::infinity();
    bool factored = true;
    for (int repeat = 0; repeat < 3; ++repeat) {
      Matrix L = A_;
      best = std::min(best, seconds_of([&] { factored = factored && blas::potrf(L); }));
      L = A_;
      best = std::min(best, seconds_of([&] { factored = factored && cholesky_in_place(L); }));
    }
    if (!factored) throw std::logic_error("the benchmark's matrix has no factor");
    return best;
  }

 private:
  static constexpr Index n = 2000;
  Matrix A_;
};

}  // namespace candor::bench
