// SPDX-License-Identifier: MIT
// Wrong labels put in on purpose, to see whether they are found.
//
//   uniform    any row, any other class
//   by class   each class at a rate of its own, any other class
//   boundary   rows near another class, which they then get: how people err
//
// Exactly round(rate × rows) labels change, chosen by the seed and nothing else.
#pragma once

#include <candor/linalg/types.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace candor::cli {

struct Planted {
  Index row = 0;
  int label = 0;  // the new one
};

// `codes` are classes 0 … classes-1, or -1 for a missing label, which stays missing.
[[nodiscard]] std::vector<Planted> plant_uniform(const std::vector<int>& codes, int classes,
                                                 double rate, std::uint64_t seed);
[[nodiscard]] std::vector<Planted> plant_by_class(const std::vector<int>& codes, int classes,
                                                  const std::map<int, double>& rates,
                                                  std::uint64_t seed);
// X has one row per code; its discrete columns are equal (0 apart) or not (1 apart).  O(n²).
[[nodiscard]] std::vector<Planted> plant_near_boundary(const std::vector<int>& codes,
                                                       const Matrix& X,
                                                       const std::vector<Index>& discrete,
                                                       double rate, std::uint64_t seed);

}  // namespace candor::cli
