// SPDX-License-Identifier: MIT
// Peak memory of inference: at most 3 n² doubles.  A process of its own, since a peak never falls.
#include "zoo.hpp"

#include <candor/inference/evidence_gradient.hpp>

#include <gtest/gtest.h>
#include <tests/peak_memory.hpp>

namespace candor {
namespace {

TEST(Memory, OfAllEnginesStaysBelowThreeSquareMatrices) {
  constexpr Index n = 4000;
  const Matrix X = Matrix::Random(n, 2);
  const Observations observations{
      .y = X.col(0).unaryExpr([](double x) { return x > 0 ? 1.0 : -1.0; })};
  const Covariance covariance = 4.0 * Covariance(SquaredExponential{});
  const double before = peak_bytes();
  for (const Inference& engine :
       {Inference(Ep{}), Inference(SequentialEp{.max_sweeps = 1}), Inference(Laplace{}),
        Inference(Variational{.max_iterations = 3})}) {
    const Approximation q = infer(engine, covariance, Probit{}, X, observations);
    EXPECT_TRUE(evidence_gradient(q, covariance, X).covariance.allFinite());
  }
  const double square = 8.0 * static_cast<double>(n * n);
  // A tenth of n² for vectors, tiles, Krylov bases and OpenBLAS's own buffers (32 MB a thread).
  EXPECT_LT(peak_bytes() - before, 3.1 * square + 64e6);
  EXPECT_GT(peak_bytes() - before, 1.5 * square);  // the ruler works: K and its factor are there
}

}  // namespace
}  // namespace candor
