// SPDX-License-Identifier: MIT
// What the labels say about latent values that are known, as samplers ask it: for all rows at once,
// weights included.
//
//   log p(y | f) = Σ w_i log p(y_i | f_i)
#pragma once

#include <candor/likelihood/flipped_step.hpp>
#include <candor/likelihood/likelihood.hpp>
#include <candor/likelihood/observations.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

class LabelFactors {
 public:
  LabelFactors(Likelihood likelihood, Observations observations);

  [[nodiscard]] Index size() const { return observations_.size(); }
  [[nodiscard]] const Observations& observations() const { return observations_; }

  [[nodiscard]] double log_p(Index row, double f) const;  // of one copy
  [[nodiscard]] double log_p(const Vector& f) const;      // of the table; -∞ where impossible
  // Less the sites of a Gaussian that stands for the labels already: Σ w log p - (ν f - ½ τ f²).
  [[nodiscard]] double log_residual(const Vector& f, const Vector& tau, const Vector& nu) const;
  // That the label of one copy of this row was flipped, if its latent value is f.
  [[nodiscard]] double p_wrong(Index row, double f) const;

  // Whether a label is the sign of a noisy latent value, maybe flipped, so that the noisy value can
  // be drawn; then v₂ and the rates of each row.
  [[nodiscard]] bool is_noisy_step() const { return !steps_.empty(); }
  [[nodiscard]] double noise_variance() const { return noise_variance_; }
  [[nodiscard]] const FlippedStep& step(Index row) const {
    return steps_[static_cast<std::size_t>(row)];
  }

 private:
  Likelihood likelihood_;
  Observations observations_;
  Vector weight_;
  std::vector<FlippedStep> steps_;  // of each row, or empty
  double noise_variance_ = 0.0;
};

}  // namespace candor
