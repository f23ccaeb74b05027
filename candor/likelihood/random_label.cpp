// SPDX-License-Identifier: MIT
#include <candor/likelihood/random_label.hpp>
#include <candor/linalg/normal.hpp>

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

constexpr double largest_log = 690.0;  // exp(690) ≈ 1e300 may still be summed over rows

}  // namespace

RandomLabel random_label(Index classes, double flip_rate, double log_P, double missing) {
  const double others = static_cast<double>(classes - 1);
  const double wrong = flip_rate / others;
  const double keep = 1.0 - flip_rate - wrong;
  const double P = std::exp(log_P);
  // 1 - Z is a sum of positive terms: log Z keeps its digits near 0.
  const double rest = flip_rate * P + (1.0 - wrong) * missing;
  const double log_right = std::log1p(-flip_rate - wrong) + log_P;
  const double log_Z = rest < 0.5     ? std::log1p(-rest)
                       : wrong == 0.0 ? log_P
                                      : log_add_exp(std::log(wrong), log_right);
  const auto relative = [&](double log_x) {
    return std::exp(std::min(log_x - log_Z, largest_log));
  };
  const double random = wrong * relative(0.0);
  const double right = wrong == 0.0 ? 1.0 : keep * relative(log_P);
  const double gradient = relative(std::log(missing / others)) - relative(log_P);
  return {{log_Z, P, random * missing, random, gradient}, right, random};
}

}  // namespace candor
