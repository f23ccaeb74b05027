// SPDX-License-Identifier: MIT
// Which alternatives a zoo lacks, by name: what a zoo that must hold every alternative is asked.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace candor::testing_support {

// The names of the alternatives of a variant whose index was not seen.
template <class Variant>
std::vector<std::string> missing_alternatives(const std::set<std::size_t>& seen) {
  std::vector<std::string> missing;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto consider = [&](std::size_t i, std::string_view name) {
      if (!seen.contains(i)) missing.emplace_back(name);
    };
    (consider(I, std::variant_alternative_t<I, Variant>::name), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
  return missing;
}

}  // namespace candor::testing_support
