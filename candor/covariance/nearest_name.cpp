// SPDX-License-Identifier: MIT
#include <candor/covariance/nearest_name.hpp>

#include <candor/linalg/edit_distance.hpp>

#include <algorithm>

namespace candor {
namespace {

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name,
                                             const std::vector<std::string_view>& candidates) {
  if (candidates.empty()) return std::nullopt;
  const auto beginning = [&](std::string_view candidate) {
    return common_beginning(name, candidate);
  };
  const auto distance = [&](std::string_view candidate) { return edit_distance(name, candidate); };
  const std::string_view alike = *std::ranges::max_element(candidates, {}, beginning);
  if (beginning(alike) >= 3 && 2 * beginning(alike) >= name.size()) return alike;
  const std::string_view nearest = *std::ranges::min_element(candidates, {}, distance);
  if (2 * distance(nearest) <= name.size()) return nearest;
  return std::nullopt;
}

}  // namespace candor
