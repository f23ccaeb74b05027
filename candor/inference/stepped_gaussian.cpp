// SPDX-License-Identifier: MIT
#include <candor/inference/stepped_gaussian.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace candor {
namespace {

struct Path {
  Vector u, velocity;
  Vector side;  // ±1, where each coordinate is: rounding may have u a little beyond 0
};

struct Meeting {
  Index row = -1;
  double time = std::numeric_limits<double>::infinity();
};

// Within a quarter of a period, only coordinates that move towards 0 reach it, at
// tan t = distance/speed; the smallest is found without dividing.
Meeting next_meeting(const Path& path) {
  Index row = -1;
  double distance = 0.0, speed = 0.0;
  for (Index i = 0; i < path.u.size(); ++i) {
    const double towards = -path.side[i] * path.velocity[i];
    if (!(towards > 0.0)) continue;
    const double away = std::max(path.side[i] * path.u[i], 0.0);
    if (row < 0 || away * speed < distance * towards) {
      row = i;
      distance = away;
      speed = towards;
    }
  }
  if (row < 0) return {};
  return {row, std::atan2(distance, speed)};
}

void advance(Path& path, double time) {
  const double c = std::cos(time), s = std::sin(time);
  for (Index i = 0; i < path.u.size(); ++i) {
    const double u = path.u[i], velocity = path.velocity[i];
    path.u[i] = c * u + s * velocity;
    path.velocity[i] = c * velocity - s * u;
  }
}

// The speed of a coordinate beyond its step as a multiple of that before it; -1 is a reflection.
double refracted(double squared_speed, double climb) {
  const bool out_of_the_impossible = climb == -std::numeric_limits<double>::infinity();
  if (climb == 0.0 || out_of_the_impossible) return 1.0;
  const double left = 1.0 - 2.0 * climb / squared_speed;
  return left > 0.0 ? std::sqrt(left) : -1.0;
}

}  // namespace

Index SteppedGaussian::move(Vector& u, Vector& velocity, const Vector& rise) const {
  Path path{u, velocity, (u.array() * y_.array() >= 0.0).select(y_, -y_)};
  double left = std::numbers::pi / 2.0;
  for (Index met = 0; met < most_meetings(); ++met) {
    const Meeting next = next_meeting(path);
    advance(path, std::min(next.time, left));
    if (next.time >= left) {
      u = std::move(path.u);
      velocity = std::move(path.velocity);
      return met;
    }
    left -= next.time;
    const Index j = next.row;
    const double variance = covariance_(j, j), speed = path.velocity[j];
    const double factor = refracted(speed * speed / variance, path.side[j] * y_[j] * rise[j]);
    if (factor > 0.0) path.side[j] = -path.side[j];
    path.velocity += (factor - 1.0) * speed / variance * covariance_.col(j);
  }
  return most_meetings();
}

}  // namespace candor
