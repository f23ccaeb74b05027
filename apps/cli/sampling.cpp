// SPDX-License-Identifier: MIT
#include <apps/cli/sampling.hpp>

#include <candor/data/wording.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

namespace candor::cli {
namespace {

// The finaliser of splitmix64: every bit of the input reaches every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31U);
}

std::uint64_t content_hash(const Prepared& prepared, Index row) {
  auto hash = static_cast<std::uint64_t>(prepared.labels.codes[static_cast<std::size_t>(row)]);
  for (Index j = 0; j < prepared.inputs.X.cols(); ++j) {
    const double value = prepared.inputs.X(row, j) + 0.0;  // -0 is 0
    hash = mixed(hash + 0x9E3779B97F4A7C15ULL + std::bit_cast<std::uint64_t>(value));
  }
  return hash;
}

using Hashed = std::pair<std::uint64_t, std::size_t>;  // hash, position in prepared.rows

std::map<int, std::vector<Hashed>> hashed_by_class(const Prepared& prepared) {
  std::map<int, std::vector<Hashed>> by_class;
  for (std::size_t k = 0; k < prepared.rows.size(); ++k) {
    const Index row = prepared.rows[k];
    by_class[prepared.labels.codes[static_cast<std::size_t>(row)]].emplace_back(
        content_hash(prepared, row), k);
  }
  for (auto& [label, members] : by_class) std::ranges::sort(members);
  return by_class;
}

}  // namespace

void keep_sample(Prepared& prepared, Index rows) {
  const std::size_t total = prepared.rows.size();
  if (rows <= 0 || static_cast<std::size_t>(rows) >= total) return;
  const double share = static_cast<double>(rows) / static_cast<double>(total);
  std::vector<std::size_t> kept;
  for (const auto& [label, members] : hashed_by_class(prepared)) {
    const double quota = std::max(2.0, std::round(share * static_cast<double>(members.size())));
    for (std::size_t k = 0; k < members.size() && static_cast<double>(k) < quota; ++k) {
      kept.push_back(members[k].second);
    }
  }
  std::ranges::sort(kept);
  keep_positions(prepared, kept);
}

std::vector<int> folds_of(const Prepared& prepared, int folds) {
  std::vector<int> fold(prepared.rows.size());
  for (const auto& [label, members] : hashed_by_class(prepared)) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      fold[members[k].second] = static_cast<int>(k % static_cast<std::size_t>(folds));
    }
  }
  return fold;
}

void check_folds(const Prepared& prepared, int folds) {
  std::size_t most = 0;
  for (const auto& [label, members] : hashed_by_class(prepared)) {
    most = std::max(most, members.size());
    if (members.size() > 1) continue;
    throw InvalidInput(fmt::format(
        "--folds needs two rows of every class, one to learn from and one to hold out, and {} has "
        "one",
        shown(prepared.labels.classes[static_cast<std::size_t>(label)])));
  }
  if (static_cast<std::size_t>(folds) > most) {
    throw InvalidInput(
        fmt::format("--folds is {}, and no class has more than {} rows: take fewer", folds, most));
  }
}

void keep_positions(Prepared& prepared, const std::vector<std::size_t>& positions) {
  std::vector<Index> rows;
  std::vector<bool> trusted;
  Vector weight(prepared.weight.size() == 0 ? 0 : static_cast<Index>(positions.size()));
  for (const std::size_t k : positions) {
    if (weight.size() > 0) {
      weight[static_cast<Index>(rows.size())] = prepared.weight[static_cast<Index>(k)];
    }
    if (!prepared.trusted.empty()) trusted.push_back(prepared.trusted[k]);
    rows.push_back(prepared.rows[k]);
  }
  prepared.rows = std::move(rows);
  prepared.trusted = std::move(trusted);
  prepared.weight = std::move(weight);
}

}  // namespace candor::cli
