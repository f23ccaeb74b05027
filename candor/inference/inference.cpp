// SPDX-License-Identifier: MIT
#include <candor/inference/inference.hpp>

#include <candor/covariance/gram.hpp>
#include <candor/linalg/check.hpp>
#include <candor/linalg/errors.hpp>

#include <string>
#include <utility>

namespace candor {
namespace {

void check_engine(const Ep& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  check_non_negative("max_sequential_sweeps", engine.max_sequential_sweeps);
  check_non_negative("max_root_finder_rows", static_cast<double>(engine.max_root_finder_rows));
}

void check_engine(const SequentialEp& engine) {
  check_positive("tolerance", engine.tolerance);
  check_positive("max_sweeps", engine.max_sweeps);
  if (!(engine.damping > 0.0 && engine.damping <= 1.0)) {
    throw InvalidInput("damping is " + std::to_string(engine.damping) +
                       ": it must be greater than 0 and at most 1");
  }
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
    check_all_finite("warm_start.tau", warm_start->tau);
    check_all_finite("warm_start.nu", warm_start->nu);
    check_same_size("warm_start.tau", warm_start->tau.size(), "labels", observations.size());
    check_same_size("warm_start.nu", warm_start->nu.size(), "labels", observations.size());
  }
  const Gram gram(covariance, X);
  return std::visit(
      [&](const auto& engine) {
        return run(engine, likelihood, observations, SitePosterior(gram, threads), warm_start);
      },
      inference);
}

}  // namespace candor
