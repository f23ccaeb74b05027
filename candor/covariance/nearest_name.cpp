// SPDX-License-Identifier: MIT
#include <candor/covariance/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace candor {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances of the prefixes of b from a prefix of a
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

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
