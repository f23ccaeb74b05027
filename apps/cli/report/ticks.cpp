// SPDX-License-Identifier: MIT
#include "ticks.hpp"

#include <candor/data/number_encoding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace candor::cli {
namespace {

// From an encoded number back to the table's.
double decoded(const ColumnEncoder& encoder, double z) {
  const auto& [knots, scores] = std::tie(encoder.knots, encoder.scores);
  if (knots.empty()) return encoder.center + encoder.scale * z;
  if (z <= scores.front()) return knots.front();
  if (z >= scores.back()) return knots.back();
  const auto right =
      static_cast<std::size_t>(std::upper_bound(scores.begin(), scores.end(), z) - scores.begin());
  const double width = scores[right] - scores[right - 1];
  const double t = width > 0.0 ? (z - scores[right - 1]) / width : 0.0;
  return knots[right - 1] + t * (knots[right] - knots[right - 1]);
}

// 1, 2 or 5 times a power of ten.
double round_step(double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  const double ratio = step / power;
  return power * (ratio < 1.5 ? 1.0 : ratio < 3.5 ? 2.0 : ratio < 7.5 ? 5.0 : 10.0);
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value == 0.0 ? 0.0 : value); }

std::vector<Tick> even_ticks(double low, double high, const ColumnEncoder& encoder) {
  std::vector<Tick> ticks;
  const double from = decoded(encoder, low), to = decoded(encoder, high);
  if (!(to > from) || !std::isfinite(to - from)) return ticks;
  const double step = round_step((to - from) / 5.0);
  const double first = std::ceil(from / step);
  for (double k = first; k * step <= to && ticks.size() < 12; ++k)
    ticks.push_back({encode_number(encoder, k * step), tick_text(k * step)});
  return ticks;
}

// Ranks bend the axis, so equal steps of the number would crowd: equal steps of the picture, each
// moved to the nearest number with two digits.
std::vector<Tick> bent_ticks(double low, double high, const ColumnEncoder& encoder) {
  std::vector<Tick> ticks;
  constexpr int steps = 6;
  for (int i = 0; i <= steps; ++i) {
    const double x = decoded(encoder, low + (high - low) * i / steps);
    const double rounded = std::stod(fmt::format("{:.1e}", x));
    const Tick tick{encode_number(encoder, rounded), tick_text(rounded)};
    const bool crowded =
        !ticks.empty() && std::abs(tick.at - ticks.back().at) < (high - low) / (2.0 * steps);
    if (!crowded && tick.at >= low && tick.at <= high) ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace

std::vector<Tick> ticks_between(double low, double high, const ColumnEncoder& encoder) {
  return encoder.knots.empty() ? even_ticks(low, high, encoder) : bent_ticks(low, high, encoder);
}

}  // namespace candor::cli
