// SPDX-License-Identifier: MIT
#include <candor/inference/label_factors.hpp>

#include <candor/likelihood/noisy_step.hpp>

#include <utility>

namespace candor {

LabelFactors::LabelFactors(Likelihood likelihood, Observations observations)
    : likelihood_(std::move(likelihood)),
      observations_(std::move(observations)),
      weight_(observations_.weights()) {
  std::visit(
      [&]<class L>(const L& l) {
        if constexpr (IsNoisyStep<L>) {
          for (Index i = 0; i < size(); ++i) steps_.push_back(step_of(l, observations_.row(i)));
          noise_variance_ = noise_of(l);
        }
      },
      likelihood_);
}

double LabelFactors::log_p(Index row, double f) const {
  if (is_noisy_step()) return log_probability(step(row), observations_.y[row], f, noise_variance_);
  return std::visit([&](const auto& l) { return l.log_density(observations_.row(row), f).value; },
                    likelihood_);
}

double LabelFactors::log_p(const Vector& f) const {
  double sum = 0.0;
  for (Index i = 0; i < size(); ++i) sum += weight_[i] * log_p(i, f[i]);
  return sum;
}

double LabelFactors::log_residual(const Vector& f, const Vector& tau, const Vector& nu) const {
  return log_p(f) - (nu - 0.5 * tau.cwiseProduct(f)).dot(f);
}

double LabelFactors::p_wrong(Index row, double f) const {
  // A cavity of no variance is a value that is known.
  return std::visit(
      [&](const auto& l) {
        return l.p_wrong(observations_.row(row), {f, 0.0});
      },
      likelihood_);
}

}  // namespace candor
