// SPDX-License-Identifier: MIT
// Nodes of a quadrature rule are evaluated by strips of eight, so that NormalFactors has enough of
// them at once; each lane of a strip has sums of its own, added up at the end.
#pragma once

#include <candor/linalg/gauss_legendre.hpp>
#include <candor/linalg/types.hpp>

#include <array>
#include <cstddef>

namespace candor {

inline constexpr Index lanes = 8;
using Strip = Eigen::Array<double, lanes, 1>;

// The Gauss–Legendre rule with 30 nodes on [0, 2], ascending, as four strips: the last node is there
// three times, twice with the weight 0.
struct PanelRule {
  std::array<double, 32> node{}, weight{};

  static constexpr Index strips = 4;
  [[nodiscard]] auto nodes(Index strip) const { return strip_of(node, strip); }
  [[nodiscard]] auto weights(Index strip) const { return strip_of(weight, strip); }

 private:
  static Eigen::Map<const Strip> strip_of(const std::array<double, 32>& all, Index strip) {
    return Eigen::Map<const Strip>(all.data() + strip * lanes);
  }
};

inline constexpr PanelRule panel_rule = [] {
  PanelRule rule;
  constexpr std::size_t half = gauss_legendre_30.size();
  for (std::size_t i = 0; i < half; ++i) {
    const auto [node, weight] = gauss_legendre_30[i];
    rule.node[half - 1 - i] = 1.0 - node;
    rule.node[half + i] = 1.0 + node;
    rule.weight[half - 1 - i] = rule.weight[half + i] = weight;
  }
  for (std::size_t i = 2 * half; i < rule.node.size(); ++i) rule.node[i] = rule.node[i - 1];
  return rule;
}();

}  // namespace candor
