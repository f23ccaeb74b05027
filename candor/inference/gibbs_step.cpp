// SPDX-License-Identifier: MIT
#include <candor/inference/gibbs_step.hpp>

#include <candor/linalg/blas.hpp>
#include <candor/linalg/truncated_normal.hpp>

#include <cmath>
#include <utility>

namespace candor {
namespace {

constexpr double most_copies = 100.0;  // each is drawn

// K + v₂ I, both triangles.
Matrix noisy_covariance(const Matrix& L, double v2) {
  Matrix C = v2 * Matrix::Identity(L.rows(), L.rows());
  blas::syrk(1.0, L, blas::Op::none, 1.0, C);
  return C.selfadjointView<Eigen::Lower>();
}

// With 1 on the right side of the step.
FlippedStep step_of_rise(double rise) { return {.wrong = std::exp(-rise)}; }

}  // namespace

GibbsStep::GibbsStep(const LabelFactors& factors) : factors_(&factors), rise_(factors.size()) {
  for (Index i = 0; i < rise_.size(); ++i) {
    const FlippedStep& step = factors.step(i);
    rise_[i] = std::log1p(-step.missed) - std::log(step.wrong);
  }
  // Every copy has a noisy value of its own; without noise all share one.
  if (factors.noise_variance() == 0.0) {
    rise_ = rise_.cwiseProduct(factors.observations().weights());
  }
}

std::optional<GibbsStep> GibbsStep::of(const LabelFactors& factors, const Matrix& L,
                                       Threads threads) {
  if (!factors.is_noisy_step()) return std::nullopt;
  GibbsStep gibbs(factors);
  const double v2 = factors.noise_variance();
  const Vector weight = factors.observations().weights();
  if (v2 > 0.0) {
    const bool whole = (weight.array() == weight.array().round()).all();
    if (!whole || weight.maxCoeff() > most_copies) return std::nullopt;
    gibbs.given_noise_ = reference_of_sites(L, weight / v2, Vector::Zero(factors.size()), threads);
    // v₂ so small that M is not positive definite to rounding.
    if (!gibbs.given_noise_) return std::nullopt;
  }
  if (v2 == 0.0 || (weight.array() == 1.0).all()) {
    gibbs.noisy_.emplace(noisy_covariance(L, v2), factors.observations().y);
  }
  return gibbs;
}

double GibbsStep::log_p(Index row, double f, double rise) const {
  const double y = factors_->observations().y[row], v2 = factors_->noise_variance();
  if (v2 == 0.0) return y * f < 0.0 ? -rise : 0.0;
  return log_probability(step_of_rise(rise), y, f, v2);
}

double GibbsStep::draw_noisy(Index row, double f, double rise, Random& random) const {
  const double v2 = factors_->noise_variance();
  const double y = factors_->observations().y[row], sd = std::sqrt(v2), t = y * f / sd;
  const bool flipped = random.uniform() <= p_wrong(step_of_rise(rise), y, {f, v2}, 0.0);
  // In the label's direction: y u > 0 unless the label was flipped.
  const double noise = flipped ? -normal_above(t, random) : normal_above(-t, random);
  return f + y * sd * noise;
}

Vector GibbsStep::noisy_values_of(const Vector& f, const Vector& rise, Random& random) const {
  Vector u = Vector::Zero(f.size());
  for (Index i = 0; i < f.size(); ++i) {
    const auto copies = static_cast<Index>(factors_->observations().weight_of(i));
    for (Index copy = 0; copy < copies; ++copy) u[i] += draw_noisy(i, f[i], rise[i], random);
  }
  return u;
}

void GibbsStep::move_noisy_values(Vector& u, const Vector& rise, ReferenceDraws& from_prior,
                                  Random& random) const {
  Vector velocity = from_prior.next();
  if (const double v2 = factors_->noise_variance(); v2 > 0.0) {
    velocity += std::sqrt(v2) * random.normals(u.size(), 1);
  }
  noisy_->move(u, velocity, rise);  // that a path was taken back shows in how chains mix
}

void GibbsStep::sweep(Vector& f, const Vector& rise, ReferenceDraws& from_prior,
                      Random& random) const {
  if (!given_noise_) {
    move_noisy_values(f, rise, from_prior, random);
    return;
  }
  Vector u = noisy_values_of(f, rise, random);
  if (noisy_) move_noisy_values(u, rise, from_prior, random);
  const Matrix& S = given_noise_->factor;
  Vector whitened = blas::gemv(S, blas::Op::transpose, u / factors_->noise_variance());
  whitened += random.normals(f.size(), 1);
  f = blas::gemv(S, blas::Op::none, whitened);
}

}  // namespace candor
