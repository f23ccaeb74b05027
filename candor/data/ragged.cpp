// SPDX-License-Identifier: MIT
#include <candor/data/ragged.hpp>

#include <candor/data/table_error.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace candor {
namespace {

constexpr std::size_t named_lines = 5;

}  // namespace

void RowWidths::add(std::size_t cells, std::size_t line) {
  Lines& lines = by_width_[cells];
  ++lines.count;
  if (lines.first.size() < named_lines) lines.first.push_back(line);
}

std::size_t RowWidths::most_common(std::size_t preferred) const {
  const auto found = std::max_element(
      by_width_.begin(), by_width_.end(),
      [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  if (found == by_width_.end()) return 0;
  const auto other = by_width_.find(preferred);
  return other != by_width_.end() && other->second.count == found->second.count ? preferred
                                                                                : found->first;
}

void RowWidths::check(std::size_t expected, const std::string& name) const {
  std::vector<std::pair<std::size_t, std::size_t>> wrong;  // line, cells
  std::size_t count = 0;
  for (const auto& [cells, lines] : by_width_) {
    if (cells == expected) continue;
    count += lines.count;
    for (const std::size_t line : lines.first) wrong.emplace_back(line, cells);
  }
  if (count == 0) return;
  std::sort(wrong.begin(), wrong.end());
  std::vector<std::string> named;
  for (const auto& [line, cells] : wrong)
    if (named.size() < named_lines) named.push_back(fmt::format("line {} has {}", line, cells));
  throw TableError(fmt::format(
      "{}: {} where {} cells are expected: {}{}; correct these lines, or name the delimiter if it"
      " is another one",
      name, count == 1 ? std::string("1 row differs") : fmt::format("{} rows differ", count),
      expected, listed(named),
      count > named.size() ? fmt::format(", and {} more", count - named.size()) : ""));
}

}  // namespace candor
