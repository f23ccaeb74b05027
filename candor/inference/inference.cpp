// SPDX-License-Identifier: MIT
#include <candor/inference/inference.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/check.hpp>

#include <cmath>
#include <utility>

namespace candor {
namespace {

void check_engine(const Ep& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  check_non_negative("max_sequential_sweeps", engine.max_sequential_sweeps);
}

void check_engine(const SequentialEp& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  check_positive("damping", engine.damping);
  check_interval("damping", engine.damping, 0.0, std::nextafter(1.0, 2.0));
}

void check_engine(const Laplace& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_iterations", engine.max_iterations);
}

}  // namespace

Approximation infer(const Inference& inference, const Covariance& covariance,
                    const Likelihood& likelihood, const Matrix& X, const Observations& observations,
                    Threads threads, const std::optional<Sites>& warm_start) {
  std::visit([](const auto& engine) { check_engine(engine); }, inference);
  check(likelihood);
  check(observations, likelihood);
  check_same_size("rows of X", X.rows(), "labels", observations.size());
  if (warm_start) {
    check_same_size("warm_start.tau", warm_start->tau.size(), "labels", observations.size());
    check_same_size("warm_start.nu", warm_start->nu.size(), "labels", observations.size());
  }
  const Gram gram(covariance, X);
  return std::visit(
      [&](const auto& engine) {
        SitePosterior posterior(gram, threads);
        if constexpr (requires {
                        run(engine, likelihood, observations, std::move(posterior), warm_start);
                      }) {
          return run(engine, likelihood, observations, std::move(posterior), warm_start);
        } else {
          return run(engine, likelihood, observations, std::move(posterior));
        }
      },
      inference);
}

}  // namespace candor
