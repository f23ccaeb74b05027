// SPDX-License-Identifier: MIT
// Random numbers that a seed fixes on every standard library: the bits of std::mt19937_64 are in the
// standard, what its distributions make of them is not, so that uniform and normal numbers are made
// here, the latter by Box and Muller's transform.
#pragma once

#include <candor/linalg/types.hpp>

#include <cstdint>
#include <random>

namespace candor {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  // One of many streams that share a seed: chains and runs draw from their own, so that results do
  // not depend on who runs first.
  Random(std::uint64_t seed, std::uint64_t stream);

  // In (0, 1], in steps of 2⁻⁵³: its logarithm is finite.
  double uniform() { return (static_cast<double>(bits_() >> 11U) + 1.0) * 0x1p-53; }
  double exponential();  // of mean 1
  double normal();
  Matrix normals(Index rows, Index cols);  // independent of what normal() has left over

 private:
  struct Pair {
    double first, second;
  };
  Pair pair();

  std::mt19937_64 bits_;
  double left_over_ = 0.0;
  bool has_left_over_ = false;
};

}  // namespace candor
