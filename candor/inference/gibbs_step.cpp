// SPDX-License-Identifier: MIT
#include <candor/inference/gibbs_step.hpp>

#include <candor/linalg/blas.hpp>
#include <candor/linalg/cholesky.hpp>
#include <candor/linalg/truncated_normal.hpp>

#include <cmath>
#include <utility>

namespace candor {
namespace {

constexpr double most_copies = 100.0;  // each is drawn
constexpr double least_noise = 1e-9;   // v₂/tr K ≥ 1/cond(K + v₂ I), to leave P six digits

bool can_be_drawn(const LabelFactors& factors) {
  if (!factors.is_noisy_step() || factors.noise_variance() == 0.0) return false;
  const Eigen::ArrayXd weight = factors.observations().weights();
  return (weight == weight.round() && weight <= most_copies).all();
}

// (K + v₂ I)⁻¹, both triangles; empty where few of its digits would be right.
Matrix noisy_precision(const Matrix& L, double v2, Threads threads) {
  if (v2 < least_noise * L.squaredNorm()) return {};  // tr K = |L|²
  Matrix C = v2 * Matrix::Identity(L.rows(), L.rows());
  blas::syrk(1.0, L, blas::Op::none, 1.0, C);
  if (!cholesky_in_place(C, threads)) return {};
  invert_lower_in_place(C, threads);
  gram_of_lower_in_place(C, threads);
  return C.selfadjointView<Eigen::Lower>();
}

}  // namespace

std::optional<GibbsStep> GibbsStep::of(const LabelFactors& factors, const Matrix& L,
                                       Threads threads) {
  if (!can_be_drawn(factors)) return std::nullopt;
  const Vector precision = factors.observations().weights() / factors.noise_variance();
  auto reference = reference_of_sites(L, precision, Vector::Zero(factors.size()), threads);
  if (!reference) return std::nullopt;  // v₂ so small that M is not positive definite to rounding
  const bool once = (factors.observations().weights().array() == 1.0).all();
  return GibbsStep(factors, std::move(*reference),
                   once ? noisy_precision(L, factors.noise_variance(), threads) : Matrix());
}

double GibbsStep::draw_noisy(Index row, Moments before, Random& random) const {
  const double y = factors_->observations().y[row], sd = std::sqrt(before.variance);
  const double t = y * before.mean / sd;
  const bool flipped = random.uniform() <= p_wrong(factors_->step(row), y, before, 0.0);
  // In the label's direction: y u > 0 unless the label was flipped.
  const double noise = flipped ? -normal_above(t, random) : normal_above(-t, random);
  return before.mean + y * sd * noise;
}

void GibbsStep::move_noisy(Vector& u, Random& random) const {
  Vector Pu = blas::gemv(precision_, blas::Op::none, u);
  for (Index i = 0; i < u.size(); ++i) {
    const double variance = 1.0 / precision_(i, i);
    const double moved = draw_noisy(i, {u[i] - variance * Pu[i], variance}, random);
    Pu += (moved - u[i]) * precision_.col(i);
    u[i] = moved;
  }
}

void GibbsStep::sweep(Vector& f, Random& random) const {
  const Index n = f.size();
  const double v2 = factors_->noise_variance();
  Vector u(n);  // summed over copies
  for (Index i = 0; i < n; ++i) {
    const auto copies = static_cast<Index>(factors_->observations().weight_of(i));
    u[i] = 0.0;
    for (Index copy = 0; copy < copies; ++copy) u[i] += draw_noisy(i, {f[i], v2}, random);
  }
  if (moves_noisy_values()) move_noisy(u, random);
  const Matrix& S = given_noise_.factor;
  Vector whitened = blas::gemv(S, blas::Op::transpose, u / v2);
  whitened += random.normals(n, 1);
  f = blas::gemv(S, blas::Op::none, whitened);
}

}  // namespace candor
