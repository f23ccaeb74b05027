// SPDX-License-Identifier: MIT
#include <candor/linalg/random.hpp>

#include <cmath>
#include <numbers>

namespace candor {
namespace {

// The finaliser of SplitMix64: every bit of the input reaches every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : bits_(mixed(mixed(seed) ^ stream)) {}

Random::Pair Random::pair() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

double Random::exponential() { return -std::log(uniform()); }

double Random::normal() {
  if (has_left_over_) {
    has_left_over_ = false;
    return left_over_;
  }
  const Pair both = pair();
  left_over_ = both.second;
  has_left_over_ = true;
  return both.first;
}

Matrix Random::normals(Index rows, Index cols) {
  Matrix drawn(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; i += 2) {
      const Pair both = pair();
      drawn(i, j) = both.first;
      if (i + 1 < rows) drawn(i + 1, j) = both.second;
    }
  }
  return drawn;
}

}  // namespace candor
