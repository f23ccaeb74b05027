// SPDX-License-Identifier: MIT
// JSON that somebody else wrote: what is copied and written level by level must not be deep enough
// to use up the stack.
#pragma once

#include <candor/data/wording.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace candor::cli {

// A discarded value where `text` is not JSON; InvalidInput beginning with `place` where it is
// nested too deeply or names a key twice.
inline nlohmann::json parse_bounded(const std::string& text, const std::string& place) {
  constexpr int most_levels = 32;
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> keys(most_levels + 2);  // of the objects that are open
  const auto check = [&](int depth, Event event, nlohmann::json& value) {
    if (depth > most_levels) {
      throw InvalidInput(fmt::format("{} nests JSON more than {} levels deep: no file of ours does",
                                     place, most_levels));
    }
    const auto level = static_cast<std::size_t>(depth);
    if (event == Event::object_start) keys[level + 1].clear();
    if (event == Event::key && !keys[level].insert(value.get<std::string>()).second) {
      throw InvalidInput(fmt::format("{} has the key {} twice in one object", place,
                                     shown(value.get<std::string>())));
    }
    return true;
  };
  return nlohmann::json::parse(text, check, false);
}

}  // namespace candor::cli
