// SPDX-License-Identifier: MIT
#include <candor/inference/gibbs_step.hpp>

#include <candor/linalg/blas.hpp>
#include <candor/linalg/truncated_normal.hpp>

#include <cmath>
#include <utility>

namespace candor {
namespace {

constexpr double most_copies = 100.0;  // each is drawn

bool can_be_drawn(const LabelFactors& factors) {
  if (!factors.is_noisy_step() || factors.noise_variance() == 0.0) return false;
  const Eigen::ArrayXd weight = factors.observations().weights();
  return (weight == weight.round() && weight <= most_copies).all();
}

}  // namespace

std::optional<GibbsStep> GibbsStep::of(const LabelFactors& factors, const Matrix& L,
                                       Threads threads) {
  if (!can_be_drawn(factors)) return std::nullopt;
  const Vector precision = factors.observations().weights() / factors.noise_variance();
  auto reference = reference_of_sites(L, precision, Vector::Zero(factors.size()), threads);
  if (!reference) return std::nullopt;  // v₂ so small that M is not positive definite to rounding
  return GibbsStep(factors, std::move(*reference));
}

double GibbsStep::draw_noisy(Index row, double f, Random& random) const {
  const double y = factors_->observations().y[row], sd = std::sqrt(factors_->noise_variance());
  const double t = y * f / sd;
  const bool flipped = random.uniform() <= factors_->p_wrong(row, f);
  // In the label's direction: y u > 0 unless the label was flipped.
  const double noise = flipped ? -normal_above(t, random) : normal_above(-t, random);
  return f + y * sd * noise;
}

void GibbsStep::sweep(Vector& f, Random& random) const {
  const Index n = f.size();
  const double v2 = factors_->noise_variance();
  Vector nu(n);  // V⁻¹u: the sum over copies, divided by v₂
  for (Index i = 0; i < n; ++i) {
    const auto copies = static_cast<Index>(factors_->observations().weight_of(i));
    double sum = 0.0;
    for (Index copy = 0; copy < copies; ++copy) sum += draw_noisy(i, f[i], random);
    nu[i] = sum / v2;
  }
  const Matrix& S = given_noise_.factor;
  Vector whitened = blas::gemv(S, blas::Op::transpose, nu);
  whitened += random.normals(n, 1);
  f = blas::gemv(S, blas::Op::none, whitened);
}

}  // namespace candor
