// SPDX-License-Identifier: MIT
// Does inference hold at the largest table promised, and within the memory stated?
//
//   scale --n 20000 --threads 2
//
// Ring data in two columns, every label right, threshold(ε = 0.02, v₂ = 1).  Prints, as one line of
// JSON, what EP and the evidence's gradient took, and the peak of resident memory in n² doubles;
// fails when EP does not converge or needs more than 3 n², n × 400 (the basis of GMRES and other
// vectors), n × 384 for each thread (strips of 256 columns) and 64 MiB (the buffers of BLAS).
#include "dice.hpp"
#include "flags.hpp"

#include <candor/inference/evidence_gradient.hpp>
#include <candor/inference/inference.hpp>

#include <tests/peak_memory.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace candor;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int run_scale(const bench::Flags& flags) {
  const Index n = flags.count("--n", 20000);
  const Threads threads{flags.count("--threads", 2)};
  bench::Dice dice(1);
  const Matrix X = Matrix::NullaryExpr(n, 2, [&] { return dice.uniform(-1.0, 1.0); });
  const Vector y =
      X.rowwise().squaredNorm().unaryExpr([](double r) { return r > 0.5 ? 1.0 : -1.0; });
  const Covariance covariance =
      1.0 * Covariance(SquaredExponential{.lengthscale = Vector::Constant(1, 0.5)});
  const double before = peak_bytes();

  const auto start = std::chrono::steady_clock::now();
  const Approximation q =
      infer(Ep{}, covariance, Threshold{.flip_probability = 0.02, .noise_variance = 1.0}, X,
            {.y = y}, threads);
  const double ep_seconds = seconds_since(start);
  const auto gradient_start = std::chrono::steady_clock::now();
  const EvidenceGradient gradient = evidence_gradient(q, covariance, X);
  const double gradient_seconds = seconds_since(gradient_start);

  const double bytes = peak_bytes() - before;
  const double square = 8.0 * static_cast<double>(n) * static_cast<double>(n);
  const double rows = 8.0 * static_cast<double>(n) * (400.0 + 384.0 * threads.count);
  constexpr double buffers = 64.0 * 1024.0 * 1024.0;
  const bool held = q.outcome.status == Status::converged && gradient.covariance.allFinite() &&
                    bytes <= 3.0 * square + rows + buffers;
  std::puts(nlohmann::json{{"n", n},
                           {"threads", threads.count},
                           {"status", name_of(q.outcome.status)},
                           {"rung", name_of(q.outcome.rung)},
                           {"sweeps", q.outcome.sweeps},
                           {"residual", q.outcome.residual},
                           {"log_evidence", q.log_evidence},
                           {"ep_seconds", ep_seconds},
                           {"gradient_seconds", gradient_seconds},
                           {"peak_in_n2_doubles", bytes / square}}
                .dump()
                .c_str());
  return held ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_scale(bench::Flags(argc, argv, {"--n", "--threads"}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
