// SPDX-License-Identifier: MIT
// Weak priors on the coordinates of a model, which keep what the data do not determine from running
// away.  Every coordinate but a rate has a normal prior; those of one group are tied:
//
//   u_d = c + δ_d,   c ~ N(centre, common_sd²),   δ_d ~ N(0, spread²)
//
// so that the lengthscales of many columns are drawn towards a common one that is itself free.
// With c integrated out the group is normal with covariance spread² I + common_sd² 1 1ᵀ.
//
// A rate has the density 4(1 - 2ε) on (0, ½), two rates have 8(1 - ε₊ - ε₋) together: what labels
// still say of the truth.  (One beside a rate that is held has the prior of one.)  It enters without
// its constant, and is 1 where no label is wrong: the robust model then never ends below the regular
// one, which it contains, and yet does not escape to ε = ½, where labels are coin flips and every
// hyperparameter is as good as any other.
#pragma once

#include <candor/learning/theta.hpp>
#include <candor/linalg/types.hpp>

#include <vector>

namespace candor {

struct PriorGroup {
  std::vector<Index> members;  // positions in Theta
  double centre = 0.0;
  double common_sd = 1.0;
  double spread = 0.0;  // 0 only for a group of one
};

class Prior {
 public:
  Prior() = default;  // none: plain type-II maximum likelihood
  explicit Prior(std::vector<PriorGroup> groups, std::vector<Index> rates = {});

  [[nodiscard]] const std::vector<PriorGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<Index>& rates() const { return rates_; }  // positions in Theta

  struct Value {
    double log_density = 0.0;  // normalised but for rates
    Vector gradient;
  };
  [[nodiscard]] Value at(const Theta& theta) const;
  // Minus the Hessian of the normal part, which is constant; zero for rates and where there is no
  // prior.
  [[nodiscard]] Matrix precision(Index size) const;

 private:
  std::vector<PriorGroup> groups_;
  std::vector<Index> rates_;
};

// What the numbers below mean for a table with standardised columns (docs/math/learning.md):
struct PriorScale {
  double log_lengthscale_sd = 1.0;  // of the common lengthscale about √d
  double lengthscale_spread = 0.3;  // of each column's about the common one
  double log_variance_sd = 1.5;     // of a variance about `variance`
  double variance = 4.0;            // v₀/v₂ at the centre
  double log_other_sd = 1.5;        // of shapes about 1, and of v₂ about v₀/variance
  double column_deviation = 0.0;    // the columns' unit of length; 0: measured
};

// The default prior for a model on these rows: lengthscales about √d column deviations, rows
// counted by their weight.
[[nodiscard]] Prior default_prior(const Coordinates& coordinates, const Matrix& X,
                                  const PriorScale& scale = {}, const Vector& weight = {});

}  // namespace candor
