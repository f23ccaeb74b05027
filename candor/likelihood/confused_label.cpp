// SPDX-License-Identifier: MIT
#include <candor/likelihood/confused_label.hpp>
#include <candor/linalg/check.hpp>

#include <cmath>

namespace candor {

ConfusedLabel confused_label(int y, const VectorRef& recorded, const VectorRef& log_P) {
  const Index C = log_P.size();
  check_interval("class", y, 0.0, static_cast<double>(C));
  check_same_size("classes", C, "recorded", recorded.size());
  for (const double share : recorded) {
    check_positive("recorded", share);
    check_at_most("recorded", share, 1.0);
  }
  const Vector log_parts = recorded.array().log() + log_P.array();
  const double top = log_parts.maxCoeff();
  const Vector parts = (log_parts.array() - top).exp();
  // 1 - Z is a sum of positive terms: log Z keeps its digits near 0.
  const double rest = ((1.0 - recorded.array()) * log_P.array().exp()).sum();
  const double log_Z = rest < 0.5 ? std::log1p(-rest) : top + std::log(parts.sum());
  ConfusedLabel label{{}, parts / parts.sum()};
  double wrong = 0.0;
  for (Index k = 0; k < C; ++k) wrong += k == y ? 0.0 : label.share[k];
  label.mass = {.log_Z = log_Z,
                .p_right = std::exp(log_P[y]),
                .p_wrong = wrong,
                .p_random = wrong,
                .rate_gradient = 0.0};
  return label;
}

}  // namespace candor
