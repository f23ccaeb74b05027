// SPDX-License-Identifier: MIT
// Random draws of one seed.
#pragma once

#include <candor/linalg/types.hpp>

#include <cmath>
#include <cstdint>
#include <random>

namespace candor::bench {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Index below(Index n) { return std::uniform_int_distribution<Index>(0, n - 1)(engine_); }
  bool happens(double probability) { return uniform(0.0, 1.0) < probability; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace candor::bench
