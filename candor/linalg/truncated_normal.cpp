// SPDX-License-Identifier: MIT
#include <candor/linalg/truncated_normal.hpp>

#include <cmath>

namespace candor {
namespace {

// Below it, more than a third of all normals are accepted as they are.
constexpr double tail = 0.4;

}  // namespace

double normal_above(double a, Random& random) {
  if (a < tail) {
    double x = random.normal();
    while (!(x > a)) x = random.normal();
    return x;
  }
  const double rate = 0.5 * (a + std::sqrt(a * a + 4.0));
  for (;;) {
    const double x = a + random.exponential() / rate;
    const double miss = x - rate;
    if (random.exponential() >= 0.5 * miss * miss) return x;
  }
}

}  // namespace candor
