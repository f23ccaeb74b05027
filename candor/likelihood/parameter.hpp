// SPDX-License-Identifier: MIT
// The free numbers of a likelihood, as L::parameters() lists them: a name, a member, a domain.
// Names, files, the gradient's order and the hyperparameter search all follow from that one list.
#pragma once

#include <limits>
#include <string_view>

namespace candor {

// Where a likelihood's parameter lives, which also fixes the coordinate of its derivative.
enum class LikelihoodDomain {
  positive,  // (0, ∞): derivatives in log x.  0 may be legal as a fixed value
  rate,      // [0, below): derivatives in the rate itself, which may be 0
};

template <class L>
struct LikelihoodParameter {
  std::string_view name;
  double L::*member;
  LikelihoodDomain domain;
  double below;  // exclusive upper end of a rate; ∞ for positive
};

template <class L>
constexpr LikelihoodParameter<L> noise_variance_parameter(double L::*member) {
  return {"noise_variance", member, LikelihoodDomain::positive,
          std::numeric_limits<double>::infinity()};
}

template <class L>
constexpr LikelihoodParameter<L> rate_parameter(std::string_view name, double L::*member,
                                                double below) {
  return {name, member, LikelihoodDomain::rate, below};
}

}  // namespace candor
