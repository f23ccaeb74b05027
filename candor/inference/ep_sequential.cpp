// SPDX-License-Identifier: MIT
#include <candor/inference/ep_sequential.hpp>

#include <candor/linalg/blas.hpp>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

// A symmetric A (lower triangle) with pending rank-one changes:  A - U diag(d) Uᵀ.
class UpdatedCovariance {
 public:
  UpdatedCovariance(Matrix A, Threads threads)
      : A_(std::move(A)), U_(A_.rows(), block), d_(block), threads_(threads) {}

  [[nodiscard]] Vector column(Index i) const {
    Vector a(A_.rows());
    a.head(i) = A_.row(i).head(i).transpose();
    a.tail(A_.rows() - i) = A_.col(i).tail(A_.rows() - i);
    if (pending_ == 0) return a;
    const Vector weights = U_.row(i).head(pending_).transpose().cwiseProduct(d_.head(pending_));
    return a - blas::gemv(U_.leftCols(pending_), blas::Op::none, weights);
  }

  // A ← A - d a aᵀ
  void subtract(double d, const Vector& a) {
    U_.col(pending_) = a;
    d_[pending_++] = d;
    if (pending_ == block) flush();
  }

 private:
  void flush() {
    const Index n = A_.rows();
    const Matrix scaled = U_ * d_.asDiagonal();
    parallel_for((n + tile - 1) / tile, threads_, [&](Index task) {
      const Index j = task * tile, cols = std::min(tile, n - j);
      blas::gemm(-1.0, U_.bottomRows(n - j), blas::Op::none, scaled.middleRows(j, cols),
                 blas::Op::transpose, 1.0, A_.block(j, j, n - j, cols));
    });
    pending_ = 0;
  }

  static constexpr Index block = 64;
  static constexpr Index tile = 128;
  Matrix A_;
  Matrix U_;
  Vector d_;
  Index pending_ = 0;
  Threads threads_;
};

// Visits every site once; returns how many had to be left alone.
Index sweep_sites(const EpProblem& problem, EpState& state, double damping) {
  UpdatedCovariance A(problem.posterior.covariance(), problem.posterior.threads());
  Vector& mean = state.mean;
  Index skipped = 0;
  for (Index i = 0; i < mean.size(); ++i) {
    const Vector a = A.column(i);
    const double w = problem.observations.weight_of(i);
    const Natural site{state.sites.tau[i], state.sites.nu[i]};
    const double power = problem.observations.power_of(i);
    const Natural left_out{power * site.tau, power * site.nu};
    const Natural cavity = to_natural({mean[i], a[i]}) / left_out;  // eq. 3.56
    if (!(a[i] > 0.0 && cavity.tau > 0.0)) {
      ++skipped;
      continue;
    }
    const Tilted match = tilted(problem, i, cavity);
    const Natural change = match.site / site;  // eq. 3.59
    const double delta_tau = w * damping * change.tau, delta_nu = w * damping * change.nu;
    const double g = 1.0 + delta_tau * a[i];
    if (!(g > 0.0)) {
      ++skipped;  // τ̃ < 0 is kept unless q would turn improper
      continue;
    }
    mean += a * ((delta_nu - delta_tau * mean[i]) / g);
    A.subtract(delta_tau / g, a);  // eq. 3.70
    state.sites.tau[i] += damping * change.tau;
    state.sites.nu[i] += damping * change.nu;
  }
  return skipped;
}

}  // namespace

EpRun sequential_ep(const EpProblem& problem, EpState start, double damping, double tolerance,
                    int max_sweeps) {
  EpRun run{.state = start, .best = start};
  if (!is_at(problem, start)) {
    auto there = evaluate(problem, std::move(start.sites));
    if (!there) return run;
    start = std::move(*there);
  }
  EpState state = std::move(start);
  while (run.sweeps < max_sweeps && !run.converged) {
    EpState moved = state;
    const Index skipped = sweep_sites(problem, moved, damping);
    ++run.sweeps;
    auto rebuilt = evaluate(problem, std::move(moved.sites));
    if (!rebuilt) break;
    state = std::move(*rebuilt);
    run.skipped_sites = skipped + state.improper;
    run.converged = run.skipped_sites == 0 && state.residual <= tolerance;
    if (state.improper > 0) continue;
    run.state = state;
    if (state.residual < run.best.residual) run.best = state;
  }
  return run;
}

}  // namespace candor
