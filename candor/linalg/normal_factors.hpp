// SPDX-License-Identifier: MIT
// normal_factor() of many z at once: the loop in which the integrals of many classes spend their
// time, compiled for the instruction sets that matter and chosen by what the CPU has.
//
// Accurate to 1e-13 relative as normal_factor is, for |z| ≤ 1e50; beyond that z counts as ±1e50, and
// above 37.5 r and `missing` count as 0.  Results differ by rounding between instruction sets.
#pragma once

#include <candor/linalg/types.hpp>

namespace candor {

class NormalFactors {
 public:
  explicit NormalFactors(Index most);  // how many z there can be

  [[nodiscard]] auto z() { return columns_.col(0); }  // to be set before evaluate()

  void evaluate(Index count);  // at the first of z

  // What NormalFactor has of these names.
  [[nodiscard]] auto scaled() const { return columns_.col(1); }
  [[nodiscard]] auto missing() const { return columns_.col(2); }
  [[nodiscard]] auto r() const { return columns_.col(3); }
  [[nodiscard]] auto r_plus_z() const { return columns_.col(4); }
  [[nodiscard]] auto one_minus_r_r_plus_z() const { return columns_.col(5); }

 private:
  Eigen::Array<double, Eigen::Dynamic, 6> columns_;
};

}  // namespace candor
